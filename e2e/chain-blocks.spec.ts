import { expect, test } from '@playwright/test';
import { bob, createSender, detail, openStill } from './chain-page.ts';
import { jsonEditor } from './json-editor.ts';
import { ask } from './node-line.ts';
import { collectFaults, fact } from './support.ts';

test('a block tells author, claim, events by extrinsic, a failure in words, weight, proof and storage changes', async ({
  page,
}) => {
  const faults = collectFaults(page);
  await openStill(page);
  const send = await createSender(page);
  const dest = { Id: bob };
  const hash = await ask<string>(page, 'dev_newBlock', {
    transactions: [
      send(0, 'Balances', 'transfer_keep_alive', { dest, value: '7000000000000' }),
      send(1, 'Balances', 'transfer_keep_alive', { dest, value: `9${'0'.repeat(30)}` }),
    ],
  });
  await page.goto(`/#/chain/${hash}`);
  const aside = detail(page);
  await expect(aside).toContainText(/author\s*Alice/);
  await expect(aside).toContainText(/authority 0, (primary|secondary)/);
  const rows = aside.getByRole('list', { name: 'Extrinsics' }).getByRole('listitem');
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(0)).toContainText('Timestamp.set');
  await expect(rows.nth(1)).toContainText('Balances.transfer_keep_alive');
  await expect(rows.nth(1)).toContainText('ok');
  await expect(rows.nth(2)).toContainText('failed');
  await expect(rows.nth(2)).toContainText(/Token\.FundsUnavailable|Arithmetic\.Underflow/);
  await expect(aside.getByRole('heading', { name: /^1 Balances.transfer_keep_alive/ })).toBeVisible();
  const event = aside.getByText('Balances.Transfer', { exact: true });
  await event.click();
  await expect(aside.getByRole('button', { name: 'Bytes', exact: true })).toBeVisible();
  await event.click();
  // Weight of two classes: no extrinsic is operational.
  await expect(aside.getByRole('meter')).toHaveCount(2);
  await aside.getByRole('button', { name: 'Show storage changes' }).click();
  await expect(aside.getByRole('status').filter({ hasText: /^\s*[1-9]\d* keys\s*$/ })).toBeVisible({
    timeout: 20_000,
  });
  await expect(aside.getByRole('link', { name: 'Compare with parent' })).toHaveAttribute(
    'href',
    /storage\/diff\?from=0x/,
  );
  await expect(aside).toContainText(
    /slot [\d\s]+, (primary|secondary plain|secondary VRF) claim of authority 0/,
  );

  await rows.nth(2).getByRole('link', { name: 'Balances.transfer_keep_alive' }).click();
  await expect(fact(aside, 'outcome')).toContainText('failed:');
  await expect(aside.getByText('nonce', { exact: true })).toBeVisible();
  await expect(aside).toContainText(/fee paid\s*[\d,.]+/);
  await expect(aside.getByRole('link', { name: 'account Alice' }).first()).toBeVisible();
  await aside.getByRole('button', { name: 'JSON' }).click();
  await expect(jsonEditor(aside, 'JSON')).toContainText('transfer_keep_alive');
  const place = new URL(page.url()).hash;
  expect(place).toContain(`${hash}/2`);
  await page.reload();
  await expect(fact(aside, 'outcome')).toContainText('failed:', { timeout: 15_000 });
  expect(faults).toEqual([]);
});

test('a transaction is followed by its hash: pool, block, retracted, final', async ({ page }) => {
  await openStill(page);
  const send = await createSender(page);
  const remark = send(0, 'System', 'remark', { remark: '0x1234' });
  await page.goto(`/#/chain/tx/0x${'12'.repeat(32)}`);
  await expect(detail(page)).toContainText('Neither in the pool nor in the 1 block searched');
  const hash = await ask<string>(page, 'author_submitExtrinsic', remark);
  await page.goto(`/#/chain/tx/${hash}`);
  await expect(detail(page)).toContainText('In the pool. Sealing is manual.');
  await expect(detail(page)).toContainText('System.remark');
  await ask(page, 'dev_newBlock');
  await expect(detail(page)).toContainText('In block #1. Finality is manual');
  await expect(fact(detail(page), 'outcome')).toHaveText('ok');
  await ask(page, 'dev_setHead', -1);
  await ask(page, 'dev_newBlock', { transactions: [] });
  await expect(detail(page)).toContainText(
    'Block #1 is no longer on the best chain. The transaction is back in the pool.',
  );
  await ask(page, 'dev_newBlock');
  await ask(page, 'dev_finalise');
  await expect(detail(page)).toContainText('Finalized in block #2.');
});

test('a block of 2,000 transactions is paged; its address names the page', async ({ page }) => {
  test.setTimeout(120_000);
  await openStill(page);
  const send = await createSender(page);
  const transactions = Array.from({ length: 2000 }, (_, nonce) =>
    send(nonce, 'System', 'remark', { remark: '0x00' }),
  );
  const hash = await ask<string>(page, 'dev_newBlock', { transactions });
  await page.goto(`/#/chain/${hash}`);
  const aside = detail(page);
  await expect(aside.getByRole('heading', { name: 'Extrinsics 2 001' })).toBeVisible({ timeout: 20_000 });
  const rows = aside.getByRole('list', { name: 'Extrinsics' }).getByRole('listitem');
  await expect(rows).toHaveCount(100);
  await expect(rows.nth(99)).toContainText('ok', { timeout: 20_000 });
  await expect(aside.getByRole('heading', { name: /^Events [\d\s]{5,}$/ })).toBeVisible();
  await aside.getByRole('link', { name: 'Last' }).click();
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('2000');
  expect(page.url()).toContain('page=21');
  await rows.getByRole('link', { name: 'System.remark' }).click();
  await expect(fact(aside, 'outcome')).toHaveText('ok');
});
