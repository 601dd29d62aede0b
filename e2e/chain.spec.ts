import { expect, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { detail, fixSlots, openAside, openStill, tree, walkTo } from './chain-page.ts';
import { ask } from './node-line.ts';
import { collectFaults, fact, shownBest } from './support.ts';

test('forks grow by the keyboard, are drawn side by side, and fade when another branch is final', async ({
  page,
}) => {
  const faults = collectFaults(page);
  await openStill(page);
  await fixSlots(page);
  await ask(page, 'dev_newBlock', { count: 3 });
  await expect(tree(page).getByRole('row', { name: /^Block #3, on the best chain$/ })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(tree(page).getByRole('row', { selected: true })).toHaveAccessibleName(/^Block #1,/);
  expect(page.url()).toContain('sel=0x');
  await page.keyboard.press('b');
  const forks = tree(page).getByRole('row', { name: /#2, on a fork/ });
  await expect(forks).toHaveCount(1);
  // The child is selected, so the next block would be built on it.
  const walked = tree(page).getByRole('row', { selected: true });
  await expect(walked).toHaveAccessibleName(/#2, on a fork/);
  await walkTo(page, 'ArrowDown', /^Block #1, on the best chain$/);
  await page.keyboard.press('b');
  await expect(forks).toHaveCount(2);
  await expect(page.getByRole('status').filter({ hasText: 'dev_newBlock' })).toBeVisible();
  await expect(tree(page).getByRole('row', { name: /^Block #3, on the best chain$/ })).toBeVisible();
  await expect(walked).toHaveAccessibleName(/#2, on a fork/);
  await page.keyboard.press('Enter');
  await expect(detail(page).getByRole('heading', { name: 'Block #2' })).toBeVisible();
  await expect(detail(page)).toContainText('on a fork, not final');
  const forkPlace = new URL(page.url()).hash;

  // The other branch is finalized, so this one is abandoned.
  await walkTo(page, 'ArrowUp', /#2, on the best chain/);
  await page.keyboard.press('f');
  await page.getByRole('dialog').getByRole('button', { name: 'Finalize #2' }).click();
  await expect(page.getByRole('link', { name: 'Finalized block' })).toHaveText(/^#2\b/);
  await expect(tree(page).getByRole('row', { name: /#2, on an abandoned fork/ })).toHaveCount(2);
  await expect(tree(page).getByRole('row', { name: /#2, finalized/ })).toBeVisible();

  // A refusal is shown where it occurred.
  await walkTo(page, 'ArrowDown', /^Block #0,/);
  await page.keyboard.press('b');
  await expect(page.getByRole('alert')).toContainText('Building on #0 failed');
  expect(forkPlace).toContain('0x');
  expect(faults).toEqual([]);
});

test('Build on this, pressed three times by the keyboard, grows a branch of three', async ({ page }) => {
  await openStill(page);
  await fixSlots(page);
  await ask(page, 'dev_newBlock', { count: 6 });
  await page.goto('/#/chain/1');
  const build = detail(page).getByRole('button', { name: 'Build on this' });
  await build.focus();
  for (const number of [2, 3, 4]) {
    await page.keyboard.press('Enter');
    await expect(detail(page).getByRole('heading', { name: `Block #${number}` })).toBeVisible();
    await expect(detail(page)).toContainText('on a fork');
    await expect(build).toBeFocused();
  }
  await expect(tree(page).getByRole('row', { name: /^Block #4, on a fork/ })).toHaveCount(1);
  expect(await shownBest(page)).toBe(6);
});

test('a deep link to a block of a fork draws the fork, though it grew before anybody looked', async ({
  page,
}) => {
  await openAside(page);
  const trunk = await ask<string>(page, 'dev_newBlock');
  const fork = await ask<string>(page, 'dev_newBlock', { parent: trunk, count: 1 });
  await ask(page, 'dev_newBlock', { parent: trunk, count: 24 });
  const tip = await ask<string>(page, 'dev_newBlock', { parent: fork });
  await page.goto(`/#/chain/${tip}`);
  await expect(detail(page)).toContainText('on a fork, not final');
  for (const hash of [fork, tip])
    await expect(tree(page).locator(`[data-hash="${hash}"]`)).toHaveAccessibleName(/on a fork/);
  await page.goto('/#/chain');
  await tree(page).locator(`[data-hash="${fork}"]`).click();
  expect(page.url()).toContain(`/chain/${fork}`);
});

test('controls: build, finality, clock, snapshots, jump and reset', async ({ page }) => {
  await openStill(page);
  const aside = detail(page);
  await aside.getByLabel('How many blocks').fill('5');
  await aside.getByRole('button', { name: /^Build on #/ }).click();
  await expect.poll(() => shownBest(page)).toBe(5);
  await page.goto('/#/chain/5');
  await aside.getByRole('button', { name: 'Measure proof size' }).click();
  await expect(aside.getByText(/measured: block [\d\s]+ B, proof/)).toBeVisible();
  await page.goto('/#/chain/control');
  await aside.getByRole('button', { name: 'Finalize the best block…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Finalize #5' }).click();
  await expect(page.getByRole('link', { name: 'Finalized block' })).toHaveText(/^#5\b/);
  await expect(aside.getByRole('button', { name: 'manual' })).toHaveAttribute('aria-pressed', 'true');
  await aside.getByRole('button', { name: 'instant' }).click();
  await expect(aside).toContainText('Blocks are finalized immediately.');
  await aside.getByRole('button', { name: 'delayed' }).click();
  await expect(aside).toContainText('Blocks are finalized 1.5 s after they become best.');
  await aside.getByRole('button', { name: 'manual' }).click();
  await expect(aside).toContainText('Blocks stay unfinalized until you finalize them');

  const next = fact(aside, 'next block');
  await expect(next).toContainText('from 20');
  const timeOf = async () =>
    Date.parse(
      (await next.innerText())
        .replace(/^.*from /, '')
        .replace(' UTC', 'Z')
        .replace(' ', 'T'),
    );
  const before = await timeOf();
  // A day is worth a question: it says how far ahead that is, and what it skips.
  await aside.getByRole('button', { name: '+1 d…' }).click();
  const jump = page.getByRole('dialog');
  await expect(jump).toContainText(/\d(\.\d)? d ahead of this computer’s clock/);
  await expect(jump).toContainText(/epochs? (is|are) skipped/);
  await jump.getByRole('button', { name: 'Move the clock' }).click();
  await expect.poll(async () => (await timeOf()) - before).toBeGreaterThan(86_000_000);
  await aside.getByRole('button', { name: '+1 h' }).click();
  await expect.poll(async () => (await timeOf()) - before).toBeGreaterThan(89_000_000);
  await ask(page, 'dev_newBlock');
  await expect(tree(page)).toContainText('1 d later');
  const clock = aside.getByRole('region', { name: 'Clock' });
  await expect(clock).toContainText(/1(\.\d)? d in the future/);
  await expect(clock).toContainText('Each block takes the next slot of 6 s');

  await aside.getByLabel('Snapshot name').fill('six');
  await aside.getByRole('button', { name: 'Save snapshot' }).click();
  // Dates have the same format as elsewhere on the page.
  await expect(aside.getByRole('region', { name: 'Snapshots' })).toContainText(
    /\d{4}-\d\d-\d\d [\d:]{8} UTC/,
  );
  const shelf = aside.getByRole('region', { name: 'Snapshots' });
  await expect(shelf.getByRole('listitem')).toContainText('#6');
  await ask(page, 'dev_newBlock', { count: 2 });
  await expect.poll(() => shownBest(page)).toBe(8);
  await shelf.getByRole('button', { name: 'Restore…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('#7 to #8 (2 blocks) leave the best chain.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await shownBest(page)).toBe(8);
  await shelf.getByRole('button', { name: 'Restore…' }).click();
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
  await expect.poll(() => shownBest(page)).toBe(6);
  await shelf.getByRole('button', { name: 'Delete…' }).click();
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(shelf).toContainText('No snapshots.');

  // The letter only works in the list and the tree, so this button does not show it.
  await page.goto('/#/chain/6');
  await expect(aside.getByRole('button', { name: 'Build on this', exact: true })).toBeVisible();
  await page.goto('/#/chain/3');
  await aside.getByRole('button', { name: 'Roll back to here…' }).click();
  await expect(dialog).toHaveAccessibleName('Roll back to #3?');
  await expect(dialog).toContainText('Finality moves back from #5 to #3.');
  await dialog.getByRole('button', { name: 'Roll back to #3' }).click();
  await expect.poll(() => shownBest(page)).toBe(3);
  await expect(page.getByRole('link', { name: 'Finalized block' })).toHaveText(/^#3\b/);
  await page.goto('/#/chain/control');
  await aside.getByRole('button', { name: 'Reset the chain…' }).click();
  await dialog.getByRole('button', { name: 'Reset', exact: true }).click();
  await expect.poll(() => shownBest(page)).toBe(0);
  await expect(page.getByRole('link', { name: 'Finalized block' })).toHaveText(/^#0\b/);
});

test('the epoch: authorities, who may claim its slots and who did; rounds only with a voter', async ({
  page,
}) => {
  await openStill(page);
  await ask(page, 'dev_newBlock', { count: 4 });
  await page.goto('/#/chain/epoch');
  const slots = detail(page).getByRole('list', { name: 'Slots of this epoch' });
  await expect(slots.getByRole('listitem')).toHaveCount(120);
  await expect(slots.getByRole('link', { name: /block #4 by Alice; may claim: Alice \(/ })).toBeVisible();
  await expect(slots.getByRole('link')).toHaveCount(4);
  await ask(page, 'dev_newBlock');
  await expect(slots.getByRole('link')).toHaveCount(5);
  await expect(detail(page).getByRole('heading', { name: /^Epoch \d+$/ })).toBeVisible();
  await expect(detail(page)).toContainText('Alice');
  await expect(detail(page)).toContainText('This node does not vote.');
  await expect(detail(page).getByRole('region', { name: /^Round/ })).toHaveCount(0);
  await slots.getByRole('link').last().click();
  await expect(detail(page).getByRole('heading', { name: 'Block #5' })).toBeVisible();
});

test('of an epoch of an hour, the slots around the best block are shown', async ({ page }) => {
  await openStill(page);
  await ask(page, 'dev_newBlock', { count: 250 });
  await page.goto('/#/chain/epoch');
  const slots = detail(page).getByRole('list', { name: 'Slots of this epoch' });
  await expect(detail(page)).toContainText('around the best block; 10 slots with a block');
  await expect(slots.getByRole('listitem')).toHaveCount(120);
  await expect(slots.getByRole('link', { name: /block #241 by Alice/ })).toBeInViewport();
  await expectAccessible(page);
});

test('a block that comes by itself glows, by the keyframes that all share', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await openStill(page);
  await page.evaluate(() =>
    addEventListener('animationstart', ({ animationName: name }) => {
      if (name.endsWith('glow')) document.documentElement.dataset['glow'] = name;
    }),
  );
  // Blocks that follow each other quickly count as a flood, in which nothing glows.
  await expect(async () => {
    await ask(page, 'dev_newBlock', { count: 1 });
    await expect(page.locator('html')).toHaveAttribute('data-glow', 'glow', { timeout: 400 });
  }).toPass();
});

test('empty blocks are one row until it is opened; whoever reads further down stays there when blocks come above', async ({
  page,
}) => {
  await openStill(page);
  await ask(page, 'dev_newBlock', { count: 60 });
  await expect(tree(page).getByRole('row', { name: /^Block #60,/ })).toBeVisible();
  await tree(page)
    .getByRole('button', { name: /^5\d empty blocks$/ })
    .click();
  await page.mouse.move(0, 0);
  await tree(page).evaluate((element) => {
    element.scrollTop = 700;
  });
  const low = tree(page).getByRole('row', { name: /^Block #30,/ });
  await expect(low).toBeInViewport();
  const before = await low.boundingBox();
  await ask(page, 'dev_newBlock', { count: 2 });
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText('#62');
  await page.getByRole('button', { name: '2 new' }).waitFor();
  expect((await low.boundingBox())?.y).toBe(before?.y);
  await expect(tree(page).getByRole('row', { name: /^Block #62,/ })).toHaveCount(0);
  await page.getByRole('button', { name: '2 new' }).click();
  await expect(tree(page).getByRole('row', { name: /^Block #62,/ })).toBeInViewport();
  // A block selected by its URL is scrolled into view.
  await page.goto('/#/chain/1');
  const chosen = tree(page).getByRole('row', { selected: true });
  await expect(chosen).toHaveAccessibleName(/^Block #1,/);
  await expect(chosen).toBeInViewport();
});

test('twelve forks and an empty chain are drawn; nothing overflows at 390 px, and axe is content', async ({
  page,
}) => {
  test.setTimeout(180_000);
  await openStill(page);
  await expect(tree(page).getByRole('row', { name: /finalized|best chain/ })).toHaveCount(1);
  const trunk = await ask<string>(page, 'dev_newBlock', { count: 2 });
  const tip = await ask<string>(page, 'dev_newBlock', { count: 3 });
  for (let fork = 0; fork < 12; fork += 1) await ask(page, 'dev_newBlock', { parent: trunk });
  await ask(page, 'dev_setHead', tip);
  await expect(tree(page).getByRole('row', { name: /#3, on a fork/ })).toHaveCount(12);
  // The forks are also shown after a reload, except those that fork choice prefers to the new head, which
  // left the node's tree with the move.
  await page.reload();
  const left = (await ask<string[]>(page, 'archive_v1_hashByHeight', 3)).length - 1;
  expect(left).toBeGreaterThan(0);
  await expect(tree(page).getByRole('row', { name: /#3, on a fork/ })).toHaveCount(left);
  const [at] = await ask<string[]>(page, 'chain_getBlockHash', [4]);
  const places = ['#/chain', `#/chain/${at}`, `#/chain/${at}/0`, '#/chain/epoch', `#/chain/tx/${at}`];
  for (const place of places) {
    await page.goto(`/${place}`);
    await expect(page.getByRole('link', { name: 'Best block' })).toHaveText('#5');
    await expect(detail(page).getByRole('heading').first()).toBeVisible();
  }
  // The forks are drawn beside each of these pages, which e2e/a11y.spec.ts checks by themselves.
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 800 });
  for (const place of places) {
    await page.goto(`/${place}`);
    await expect(page.getByRole('link', { name: 'Best block' })).toHaveText('#5');
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(beyond, place).toBeLessThanOrEqual(0);
  }
  await page.goto('/#/chain');
  await tree(page)
    .getByRole('row', { name: /#4, on the best chain/ })
    .click();
  await expect(detail(page).getByRole('heading', { name: 'Block #4' })).toBeVisible();
});
