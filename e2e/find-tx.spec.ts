import { expect, type Page, test } from '@playwright/test';
import { createSender, detail, fixSlots, openStill } from './chain-page.ts';
import { ask } from './node-line.ts';

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
});
