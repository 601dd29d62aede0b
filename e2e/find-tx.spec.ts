import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { createSender, detail, fixSlots, openStill } from './chain-page.ts';
import { ask } from './node-line.ts';
import { shownBest } from './support.ts';

const look = async (page: Page, hash: string): Promise<void> => {
  await page.evaluate((to) => {
    location.hash = `#/chain/tx/${to}`;
  }, hash);
};
const remark = { remark: '0x1234' };

test('a transaction is found in a fork, and told from one of the best chain', async ({ page }) => {
  await openStill(page);
  const send = await createSender(page);
  await fixSlots(page);
  await ask(page, 'dev_newBlock', { count: 2 });
  const parent = await ask<string>(page, 'chain_getBlockHash', 1);
  const hash = await ask<string>(page, 'author_submitExtrinsic', send(0, 'System', 'remark', remark));
  await ask(page, 'dev_newBlock', { parent });
  await ask(page, 'author_removeExtrinsic', [{ hash }]);
  await ask(page, 'dev_newBlock', { count: 2 });
  await look(page, hash);
  await expect(detail(page)).toContainText('In block #2 of a fork, not on the best chain.');
  await expect(detail(page)).toContainText('System.remark');
  await expect(detail(page).getByRole('link', { name: /Extrinsic \d of block #2/ })).toBeVisible();
  await expectAccessible(page);
});

test('a transaction that waits for an earlier one is found in the future queue', async ({ page }) => {
  await openStill(page);
  const send = await createSender(page);
  const hash = await ask<string>(page, 'author_submitExtrinsic', send(1, 'System', 'remark', remark));
  await look(page, hash);
  await expect(detail(page)).toContainText('In the pool, waiting for another transaction');
  await expect(detail(page)).toContainText('System.remark');
  await ask(page, 'author_submitExtrinsic', send(0, 'System', 'remark', remark));
  await ask(page, 'dev_newBlock');
  await expect(detail(page)).toContainText('In block #1.');
});

/**
 * Presses Stop as soon as this many blocks have been searched, in the same task that shows it, while the next
 * ones are being requested.
 */
const stopAt = (page: Page, blocks: number): Promise<void> =>
  page.evaluate((from) => {
    const watch = new MutationObserver(() => {
      const progress = document.querySelector<HTMLProgressElement>('aside progress');
      if (progress === null || progress.value < from) return;
      watch.disconnect();
      progress.parentElement?.querySelector('button')?.click();
    });
    watch.observe(document.body, { childList: true, subtree: true, attributes: true });
  }, blocks);

// That a search goes back a thousand blocks at most is a test of the component (ui/panels/chain/block/transaction-page.browser.test.ts).
test('a search tells how far it went, is stopped and goes on', async ({ page }) => {
  await openStill(page);
  await ask(page, 'dev_newBlock', { count: 90 });
  await expect.poll(() => shownBest(page)).toBe(90);
  await stopAt(page, 0);
  await look(page, `0x${'12'.repeat(32)}`);
  const notice = detail(page).getByRole('heading', { name: /Neither in the pool nor in/ });
  const further = (count: number) =>
    detail(page).getByRole('button', { name: `Search ${count} more blocks`, exact: true });
  await expect(notice).toContainText('nor in the 0 blocks');
  await stopAt(page, 1);
  await further(91).click();
  // The twenty blocks in progress when it was stopped are the last ones.
  await expect(notice).toContainText('nor in the 40 blocks');
  await further(51).click();
  await expect(notice).toContainText('nor in the 91 blocks');
  await expect(detail(page).getByRole('button', { name: /more blocks/ })).toHaveCount(0);
});
