import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { createSender, detail, openStill } from './chain-page.ts';
import { ask } from './node-line.ts';

const steps = (page: Page) => detail(page).getByRole('list', { name: 'What became of it' });
const look = async (page: Page, hash: string): Promise<void> => {
  await page.evaluate((to) => {
    location.hash = `#/chain/tx/${to}`;
  }, hash);
};
const remark = { remark: '0x1234' };

test('a transaction is found in a fork, and told from one of the best chain', async ({ page }) => {
  await openStill(page);
  const send = await createSender(page);
  await ask(page, 'dev_newBlock', { count: 2 });
  const [parent, tip] = await ask<string[]>(page, 'chain_getBlockHash', [1, 2]);
  const hash = await ask<string>(page, 'author_submitExtrinsic', send(0, 'System', 'remark', remark));
  await ask(page, 'dev_newBlock', { parent });
  // Of two branches of the same height either may be the better one to BABE: the other is the best by decree.
  await ask(page, 'dev_setHead', tip);
  await ask(page, 'author_removeExtrinsic', [{ hash }]);
  await ask(page, 'dev_newBlock', { count: 2 });
  await look(page, hash);
  await expect(steps(page)).toContainText('in block #2 of a fork');
  await expect(steps(page)).toContainText('the best chain does not have it');
  await expect(detail(page)).toContainText('system.remark');
  await expect(detail(page).getByRole('link', { name: /Extrinsic \d of block #2/ })).toBeVisible();
  await expectAccessible(page);
});

test('a transaction that waits for an earlier one is found in the future queue', async ({ page }) => {
  await openStill(page);
  const send = await createSender(page);
  const hash = await ask<string>(page, 'author_submitExtrinsic', send(1, 'System', 'remark', remark));
  await look(page, hash);
  await expect(steps(page)).toContainText('in the pool, waiting for another transaction');
  await expect(detail(page)).toContainText('system.remark');
  await ask(page, 'author_submitExtrinsic', send(0, 'System', 'remark', remark));
  await ask(page, 'dev_newBlock');
  await expect(steps(page)).toContainText('in block #1');
});

test('a search goes back a bounded way, tells how far, is stopped and goes on', async ({ page }) => {
  await openStill(page);
  await ask(page, 'dev_newBlock', { count: 1050 });
  await look(page, `0x${'12'.repeat(32)}`);
  const progress = detail(page).getByRole('progressbar', { name: 'Blocks looked through' });
  await expect(progress).toHaveAttribute('max', '1000');
  await detail(page).getByRole('button', { name: 'Stop' }).click();
  await expect(progress).toHaveCount(0);
  const notice = detail(page).getByRole('heading', { name: /Not in the pool, not in/ });
  await expect(notice).not.toContainText('1,051 blocks');
  await detail(page)
    .getByRole('button', { name: /blocks further/ })
    .click();
  await expect(progress).toHaveCount(0);
  while (
    await detail(page)
      .getByRole('button', { name: /blocks further/ })
      .isVisible()
  ) {
    await detail(page)
      .getByRole('button', { name: /blocks further/ })
      .click();
    await expect(progress).toHaveCount(0);
  }
  await expect(notice).toContainText('1,051 blocks');
});
