import { expect, test } from '@playwright/test';
import { shownBest } from './support.ts';

test('a browser that stores no more is told with what was kept and what to do; the node answers on, and seals again with space', async ({
  page,
}) => {
  await page.goto('/#/rpc/system_health');
  await expect.poll(() => shownBest(page)).toBeGreaterThan(0);
  const [worker] = page.workers();
  if (worker === undefined) throw new Error('no worker');
  await worker.evaluate(() => {
    const proto = IDBObjectStore.prototype;
    Object.assign(self, { testPut: proto.put });
    proto.put = () => {
      throw new DOMException('no space', 'QuotaExceededError');
    };
  });
  const alert = page.getByRole('banner').getByRole('alert');
  await expect(alert).toContainText('No block was sealed: The browser refused to store more data.');
  await expect(alert).toContainText('Stored data is safe');
  await expect(alert).toContainText('StorageQuota');
  await expect(alert.getByRole('button', { name: /^Copy/ })).toBeVisible();
  const stuckAt = await shownBest(page);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await expect(result.getByRole('status').first()).toHaveText('ok');
  await alert.getByRole('button', { name: 'Dismiss' }).click();
  await expect(alert).toHaveCount(0);
  await page.getByRole('button', { name: 'Seal block' }).click();
  await expect(alert).toContainText('The browser refused to store more data.');
  expect(await shownBest(page)).toBe(stuckAt);
  await worker.evaluate(() => {
    IDBObjectStore.prototype.put = (self as unknown as { testPut: IDBObjectStore['put'] }).testPut;
  });
  await expect.poll(() => shownBest(page)).toBeGreaterThan(stuckAt);
  await page.reload();
  await expect.poll(() => shownBest(page)).toBeGreaterThan(stuckAt);
});

test('a call on which the runtime traps: its code and why, to copy, in the RPC and in the Runtime panel', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/#/rpc/state_call');
  await expect.poll(() => shownBest(page)).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'JSON', exact: true }).click();
  await page.getByLabel('params').fill('["AccountNonceApi_account_nonce", "0x00"]');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await expect(result.getByRole('status').first()).toHaveText('error 4003');
  await expect(result).toContainText('Execution failed');
  await result.getByRole('button', { name: 'Copy result' }).click();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toContain('4003');
  await page.goto('/#/runtime/apis/raw?method=AccountNonceApi_account_nonce&data=0x00');
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('The runtime call failed');
  await expect(alert).toContainText(/4003: Client error: Execution failed/);
  await alert.getByRole('button', { name: 'Copy the raw text' }).click();
  await expect.poll(copied).toMatch(/^4003: Client error: Execution failed/);
  // Through the form: a block that does not follow the best one.
  await page.goto('/#/runtime/apis/Core/execute_block');
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  await expect(alert).toContainText(/4003: Client error: Execution failed/);
});
