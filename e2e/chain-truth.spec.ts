import { expect, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { createSender, detail, expectKeptStill, openStill, tree } from './chain-page.ts';
import { ask, openLine } from './node-line.ts';
import { shownBest } from './support.ts';

test('blocks between others load themselves where they are in view', async ({ page }) => {
  await openStill(page);
  await expectKeptStill(page);
  await ask(page, 'dev_newBlock', { count: 200 });
  await openLine(page);
  await page.goto('/#/chain/11');
  await page.reload();
  await expect.poll(() => shownBest(page)).toBe(200);
  await expect(tree(page).getByRole('row', { name: /empty blocks, #12 to #/ })).toBeVisible();
  await expect(tree(page).getByRole('row', { name: /not loaded/ })).toHaveCount(0);
  await expectAccessible(page);
});

test('a branch that a jump leaves is one row, and a run that was opened closes again', async ({ page }) => {
  await openStill(page);
  await expectKeptStill(page);
  await ask(page, 'dev_newBlock', { count: 80 });
  await ask(page, 'dev_setHead', -60);
  const fork = tree(page).getByRole('row', { name: /^59 (empty )?blocks, #21 to #79$/ });
  await expect(fork).toBeVisible();
  await fork.getByRole('button').click();
  await expect(tree(page).getByRole('row', { name: /^Block #79, on a fork/ })).toBeVisible();
  await fork.getByRole('button', { expanded: true }).click();
  await expect(tree(page).getByRole('row', { name: /^Block #79/ })).toHaveCount(0);
  await expect(fork.getByRole('button', { expanded: false })).toBeVisible();
});

test('an edited state is marked in the list and on the block, which says what was edited', async ({
  page,
}) => {
  await openStill(page);
  await ask(page, 'dev_newBlock', { count: 2 });
  await ask(page, 'dev_setStorage', [['0xfeedbeef', '0x0102']]);
  const badge = page.getByRole('banner').getByRole('link', { name: 'edited' });
  await badge.click();
  await expect(page).toHaveURL(/chain\/0x/);
  await tree(page)
    .getByRole('row', { name: /^Block #2, .*edited state$/ })
    .click();
  await expect(detail(page).getByRole('heading', { name: 'Edited state' })).toBeVisible();
  await detail(page).getByRole('button', { name: 'Show what was edited' }).click();
  await expect(detail(page)).toContainText('1 key differs from #1 although this block did not write it.');
  await expect(detail(page)).toContainText('0xfeedbeef');
  await expect(detail(page)).toContainText('To leave no trace, roll back to #1.');
  await ask(page, 'dev_newBlock');
  await ask(page, 'dev_setStorage', [['0xfeedbeef', '0x03']]);
  await expect(detail(page)).toContainText('roll back to before the first of the 2 edited blocks.');
  await expectAccessible(page);
  await detail(page).getByRole('button', { name: 'Roll back to #1…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Roll back to #1?' });
  await expect(dialog).toContainText(
    '#2 to #3 (2 blocks) leave the best chain. Their transactions that are still valid return to the pool.',
  );
  await dialog.getByRole('button', { name: 'Roll back to #1' }).click();
  await expect.poll(() => shownBest(page)).toBe(1);
  expect(await ask(page, 'state_getStorage', '0xfeedbeef')).toBeNull();
  await expect(badge).toHaveCount(0);
});

test('the hash of a transaction in the block box leads to the transaction', async ({ page }) => {
  await openStill(page);
  const send = await createSender(page);
  const hash = await ask<string>(
    page,
    'author_submitExtrinsic',
    send(0, 'System', 'remark', { remark: '0x12' }),
  );
  await ask(page, 'dev_newBlock');
  const box = page.getByRole('textbox', { name: /^Find a block/ });
  for (const typed of [hash, hash.slice(2)]) {
    await page.goto('/#/chain');
    await box.fill(typed);
    await box.press('Enter');
    await expect(detail(page).getByRole('heading', { name: 'Transaction' })).toBeVisible();
    await expect(detail(page)).toContainText('In block #1. Finality is manual');
  }
  const block = await ask<string>(page, 'chain_getBlockHash', 1);
  await box.fill(block);
  await box.press('Enter');
  await expect(detail(page).getByRole('heading', { name: 'Block #1' })).toBeVisible();
});
