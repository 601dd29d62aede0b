import { expect, test } from '@playwright/test';
import { jsonEditor } from './json-editor.ts';
import { e2eUrl } from './ports.ts';
import { shownBest } from './support.ts';

/** What the page offers to its console. */
type TabnodeWindow = {
  readonly tabnode: {
    readonly connection: { request(name: string, params: readonly unknown[]): Promise<unknown> };
  };
};

test('a browser that stores no more is told with what was kept and what to do; the node answers on, and seals again with space', async ({
  page,
}) => {
  const devtools = await page.context().newCDPSession(page);
  const origin = new URL(e2eUrl('app')).origin;
  // Before the page opens the database, because Chromium asks for its quota only now and then. A new chain takes 0.9 MB.
  await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1_300_000 });
  await page.goto('/#/rpc/system_health');
  await expect.poll(() => shownBest(page)).toBeGreaterThan(0);
  const request = (method: string, params: readonly unknown[]) =>
    page.evaluate(
      ([name, given]) =>
        (window as unknown as TabnodeWindow).tabnode.connection
          .request(name, given)
          .catch((error) => error.data),
      [method, params] as const,
    );
  // Until the write of one of the blocks is refused.
  let refusal: unknown;
  for (let run = 0; run < 100 && refusal !== 'StorageQuota'; run += 1)
    refusal = await request('dev_newBlock', [{ count: 50 }]);
  expect(refusal).toBe('StorageQuota');
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
  const hashes = () =>
    Promise.all(Array.from({ length: stuckAt + 1 }, (_, height) => request('chain_getBlockHash', [height])));
  const announced = await hashes();
  await devtools.send('Storage.overrideQuotaForOrigin', { origin });
  await expect.poll(() => shownBest(page)).toBeGreaterThan(stuckAt);
  await page.reload();
  await expect.poll(() => shownBest(page)).toBeGreaterThan(stuckAt);
  expect(await hashes()).toEqual(announced);
});

test('a call on which the runtime traps: its code and why, to copy, in the RPC and in the Runtime panel', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/#/rpc/state_call');
  await expect.poll(() => shownBest(page)).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'JSON', exact: true }).click();
  await jsonEditor(page, 'params').fill('["AccountNonceApi_account_nonce", "0x00"]');
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
  await expect(alert).toContainText('The runtime trapped');
  await alert.getByRole('button', { name: 'Details' }).click();
  await expect(alert.getByRole('dialog')).toContainText(/4003: Client error: Execution failed/);
  await alert.getByRole('button', { name: 'Copy the details' }).click();
  await expect.poll(copied).toMatch(/^4003: Client error: Execution failed/);
  // Through the form: a block that does not follow the best one.
  await page.goto('/#/runtime/apis/Core/execute_block');
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  await expect(alert).toContainText('The runtime trapped');
});
