import { expect, test } from '@playwright/test';
import { alice, bob, createSender, openStill } from './chain-page.ts';
import { ask } from './node-line.ts';
import { result } from './rpc-page.ts';
import { pooled } from './send-page.ts';
import { fact } from './support.ts';

test('one transaction is left out of the next block, with those that wait for it', async ({ page }) => {
  await openStill(page);
  const send = await createSender(page);
  for (const nonce of [0, 1, 2])
    await ask(page, 'author_submitExtrinsic', send(nonce, 'System', 'remark', { remark: `0x0${nonce}` }));
  await page.goto('/#/send/pool');
  await expect(pooled(page)).toHaveCount(3);
  await page.getByRole('button', { name: /^Seal without it .* nonce 1$/ }).click();
  await expect(page.getByText('A block was sealed without 2 transactions.')).toBeVisible();
  await expect(pooled(page)).toHaveCount(2);
  await expect(page.getByRole('button', { name: /^Seal without it .* nonce 1$/ })).toBeVisible();
  expect(await ask(page, 'system_accountNextIndex', alice)).toBe(3);
  const block = await ask<{ block: { extrinsics: string[] } }>(page, 'chain_getBlock');
  expect(block.block.extrinsics).toHaveLength(2); // the inherent and nonce 0
});

test('what waits in the pool is there after a reload, even one that follows at once', async ({ page }) => {
  await openStill(page);
  const send = await createSender(page);
  await page.goto('/#/send/pool');
  // The second one waits for the first.
  for (const nonce of [2, 0])
    await ask(page, 'author_submitExtrinsic', send(nonce, 'System', 'remark', { remark: `0x0${nonce}` }));
  await page.reload();
  await expect(pooled(page, 'Ready')).toHaveCount(1);
  await expect(pooled(page, 'Future')).toHaveCount(1);
  await ask(page, 'dev_newBlock');
  await expect(pooled(page, 'Ready')).toHaveCount(0);
  await page.reload();
  await expect(pooled(page, 'Future')).toHaveCount(1);
  await expect(pooled(page, 'Ready')).toHaveCount(0);
});

test('a dispatch that fails reads as pallet, error and docs: dry run, RPC, block and sent', async ({
  page,
}) => {
  await openStill(page);
  const send = await createSender(page);
  const tooMuch = send(0, 'Balances', 'transfer_keep_alive', {
    dest: { Id: bob },
    value: '900000000000000000000000000',
  });
  const words =
    /^(failed: )?(Token\.FundsUnavailable: Funds are|Arithmetic\.Underflow: An underflow|Balances\.\w+: \w+)/;
  await page.goto(`/#/rpc/system_dryRun?params=${encodeURIComponent(JSON.stringify([tooMuch]))}`);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(result(page).getByRole('paragraph')).toHaveText(words);
  const hash = await ask<string>(page, 'author_submitExtrinsic', tooMuch);
  await page.goto(`/#/chain/tx/${hash}`);
  const detail = page.getByRole('complementary');
  await expect(detail).toContainText('In the pool. Sealing is manual.');
  await ask(page, 'dev_newBlock');
  await expect(fact(detail, 'outcome')).toHaveText(words);
  await page.goto('/#/chain/1');
  await expect(detail).toContainText(
    /Token\.FundsUnavailable: Funds are|Arithmetic\.Underflow: An underflow/,
  );
});
