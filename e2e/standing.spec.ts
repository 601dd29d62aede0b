import { expect, type Page, test } from '@playwright/test';
import { detail, expectKeptStill, openAside, openForked, openStill, tree } from './chain-page.ts';
import { ask, hold, refuseHeld, release } from './node-line.ts';
import { collectFaults, shownBest } from './support.ts';

const hashAt = (page: Page, number: number) => ask<string>(page, 'chain_getBlockHash', number);
/** The status next to the heading of the selected block. */
const verdict = (page: Page) => detail(page).locator('.what');

test('an old block is called what it is: after a reload, by number, by hash and in a window of its own', async ({
  page,
}) => {
  const faults = collectFaults(page);
  await openStill(page);
  await expectKeptStill(page);
  await ask(page, 'dev_newBlock', { count: 90 });
  await ask(page, 'dev_finalise', await hashAt(page, 60));
  // Beyond the loaded blocks and among them, by number and by hash, and the last finalized one.
  const places = [1, await hashAt(page, 21), 60];
  for (const place of places) {
    await page.goto(`/#/chain/${place}`);
    await page.reload();
    await expect(verdict(page), `${place}`).toHaveText('finalized');
    await expect(detail(page).getByRole('link', { name: /Next block/ })).toBeVisible();
  }
  await page.goto('/#/chain/70');
  await page.reload();
  await expect(verdict(page)).toHaveText('not finalized yet');
  await page.goto('/#/chain/20');
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Open this panel in its own window' }).click();
  const own = await opened;
  await expect(verdict(own)).toHaveText('finalized', { timeout: 15_000 });
  await expect(tree(own).getByRole('row', { name: /abandoned/ })).toHaveCount(0);
  expect(faults).toEqual([]);
});

test('an old block that is not final yet becomes so, and none is judged before the node has answered', async ({
  page,
}) => {
  await openStill(page);
  await expectKeptStill(page);
  // More than a gap in view loads by itself.
  await ask(page, 'dev_newBlock', { count: 500 });
  const [old, later] = [await hashAt(page, 5), await hashAt(page, 30)];
  await page.reload();
  await expect.poll(() => shownBest(page)).toBe(500);
  await page.goto(`/#/chain/${old}`);
  await expect(verdict(page)).toHaveText('not finalized yet');
  // Done before the page hears of the finalized block, because it may ask about that one on its own.
  await hold(page, 'chain_getBlockHash');
  await ask(page, 'dev_finalise', later);
  await expect(verdict(page)).toHaveText('finalized');
  await page.goto(`/#/chain/${later}`);
  await expect(detail(page).getByRole('heading', { name: 'Block #30' })).toBeVisible();
  await expect(verdict(page)).toHaveText('checking…');
  await expect(detail(page).getByRole('button', { name: /^Finalize/ })).toHaveCount(0);
  await refuseHeld(page);
  await release(page);
  await ask(page, 'dev_newBlock');
  await expect(verdict(page)).toHaveText('finalized');
});

test('a fork block that is finalized is final, its rival abandoned, and the best block is its own', async ({
  page,
}) => {
  const { fork } = await openForked(page);
  await expect.poll(() => shownBest(page)).toBe(26);
  const rival = await hashAt(page, 3);
  expect(rival).not.toBe(fork);
  await page.goto(`/#/chain/${fork}`);
  await expect(verdict(page)).toHaveText(/^on a fork, not final/);
  // A paused list shows the state at the time of the pause.
  await page.keyboard.press('p');
  const row = page.locator('[data-number="3"]');
  await ask(page, 'dev_finalise', fork);
  await expect(page.getByRole('link', { name: 'Finalized block' })).toHaveText(/^#3\b/);
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText('#3');
  await expect(verdict(page)).toHaveText('finalized');
  await expect(row).toHaveAccessibleName(/on the best chain$/);
  await page.keyboard.press('p');
  await expect(row.getByRole('link').last()).toHaveAttribute('title', fork);
  await expect(row).toHaveAccessibleName(/finalized$/);
  await expect(page.locator('[data-number="4"]')).toHaveCount(0);
  await expect(tree(page).locator(`[data-hash="${fork}"]`)).toHaveAccessibleName(/#3, finalized$/);
  // The abandoned branch is one row until it is expanded.
  await tree(page)
    .getByRole('row', { name: /empty blocks, #3 to #/ })
    .getByRole('button')
    .click();
  await tree(page).evaluate((list) => {
    list.scrollTop = list.scrollHeight;
  });
  await expect(tree(page).locator(`[data-hash="${rival}"]`)).toHaveAccessibleName(/abandoned fork$/);
});

test('a block that is open when its rival is finalized is on an abandoned fork, and offers nothing in vain', async ({
  page,
}) => {
  const { fork, tip } = await openForked(page);
  await page.goto(`/#/chain/${fork}`);
  await expect(verdict(page)).toHaveText(/^on a fork, not final/);
  await expect(detail(page).getByRole('button', { name: 'Finalize this…' })).toBeVisible();
  await ask(page, 'dev_finalise', tip);
  await expect(verdict(page)).toHaveText('on an abandoned fork');
  await expect(detail(page).getByRole('button', { name: /^(Finalize|Build on) this/ })).toHaveCount(0);
});

test('away from the list of blocks the bar shows the best block of a finalized fork too', async ({
  page,
}) => {
  await openAside(page);
  const trunk = await ask<string>(page, 'dev_newBlock');
  const fork = await ask<string>(page, 'dev_newBlock', { parent: trunk });
  await ask(page, 'dev_newBlock', { parent: trunk, count: 24 });
  const { number } = await ask<{ number: string }>(page, 'chain_getHeader', fork);
  await expect.poll(() => shownBest(page)).toBe(Number(number) + 23);
  await ask(page, 'dev_finalise', fork);
  await expect.poll(() => shownBest(page)).toBe(Number(number));
});
