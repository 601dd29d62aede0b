import { expect, test } from '@playwright/test';
import { collectFaults, killWorker, shownBest, trackWorkers } from './support.ts';

test('blocks appear by themselves when the page is opened, without a console error', async ({ page }) => {
  const faults = collectFaults(page);
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/);
  await expect(page.getByRole('heading', { level: 1, name: 'Development' })).toBeVisible();
  await expect(page.getByText('local sandbox')).toBeVisible();
  await expect(page.locator('[data-number="0"]')).toBeVisible();
  const best = await shownBest(page);
  await expect.poll(() => shownBest(page)).toBeGreaterThan(best);
  expect(faults).toEqual([]);
});

test('the worker starts before the shell is there, and is the only one', async ({ page }) => {
  const started = page.waitForEvent('worker');
  await page.route('**/assets/index-*.js', async (route) => {
    await started;
    await route.continue();
  });
  await page.goto('/');
  await expect.poll(() => shownBest(page)).toBeGreaterThan(0);
  expect(page.workers()).toHaveLength(1);
});

test('a chain that was open before is laid out while its node starts, and not anew when it runs', async ({
  page,
}) => {
  const faults = collectFaults(page);
  await page.goto('/');
  await expect.poll(() => shownBest(page)).toBeGreaterThan(0);
  const { promise, resolve: release } = Promise.withResolvers<void>();
  await page.route(/worker-rpc-/, async (route) => {
    await promise;
    await route.continue();
  });
  await page.reload();
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  const bar = await page.getByRole('banner').elementHandle();
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveCount(0);
  await expect(page.getByRole('main')).toContainText('Reading blocks');
  await expect(page.getByLabel('Seal mode')).toBeDisabled();
  release();
  await expect.poll(() => shownBest(page)).toBeGreaterThan(0);
  expect(await bar?.evaluate((one) => one.isConnected)).toBe(true);
  await expect(page.getByLabel('Seal mode')).toHaveValue('interval:2000');
  expect(faults).toEqual([]);
});

test('a worker that does not load is told, and started again when asked', async ({ page }) => {
  await page.route('**/assets/worker-main-*.js', (route) => route.abort());
  await page.goto('/');
  await expect(page.getByText('could not be loaded')).toBeVisible();
  await page.unroute('**/assets/worker-main-*.js');
  await page.getByRole('button', { name: /again|restart/i }).click();
  await expect.poll(() => shownBest(page)).toBeGreaterThan(0);
});

test('a block opens with its header, digest and extrinsics', async ({ page }) => {
  await page.goto('/#/chain/1');
  const detail = page.getByRole('complementary', { name: 'Picked block' });
  await expect(detail.getByRole('heading', { name: 'Block #1' })).toBeVisible();
  await expect(detail.getByText('state root', { exact: true })).toBeVisible();
  await expect(detail.getByText('inherent', { exact: true }).first()).toBeVisible();
  await detail.getByRole('link', { name: 'Previous block' }).click();
  await expect(detail.getByText('The genesis block has no body.')).toBeVisible();
  await page.goto('/#/chain/99999999');
  await expect(detail.getByText('No such block')).toBeVisible();
  await expect(detail).toContainText(/the best one is #\d+/);
  await expect(detail.getByRole('link', { name: /transaction/ })).toHaveCount(0);
  await page.goto('/#/chain/nonsense');
  await expect(detail).toContainText('“nonsense” is neither a block number nor a hash');
});

test('the console runs a method, shows its time and keeps it', async ({ page }) => {
  await page.goto('/#/rpc');
  await page.keyboard.press('/');
  await page.keyboard.type('system_chain');
  await page.getByRole('link', { name: 'chain of system', exact: true }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await expect(result.getByRole('status')).toHaveText('ok');
  await expect(result).toContainText(/"Development"/);
  await expect(result).toContainText(/\d ms/);
  await page.getByLabel('method', { exact: true }).fill('chain_getBlockHash');
  await page.getByRole('button', { name: 'JSON', exact: true }).click();
  await page.getByLabel('params').fill('[12');
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeDisabled();
  await page.getByLabel('method', { exact: true }).fill('no_such_method');
  await page.getByLabel('params').fill('');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(result.getByRole('status')).toHaveText('error -32601');
  await expect(page.getByRole('region', { name: 'History' }).getByRole('listitem')).toHaveCount(2);
});

test('the console follows a subscription until it is stopped', async ({ page }) => {
  await page.goto('/#/rpc/chain_subscribeNewHeads');
  await expect(page.getByRole('link', { name: 'subscribeNewHeads of chain', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await expect(result).toContainText('stateRoot');
  await page.getByRole('button', { name: 'Seal block' }).click();
  await expect(result).toContainText(/[2-9] received/);
  await result.getByRole('button', { name: 'Stop' }).click();
  await expect(result.getByRole('status')).toHaveText('ok');
});

test('the seal button seals one block in manual mode', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/);
  await page.getByLabel('Seal mode').selectOption('manual');
  await expect(page.getByLabel('Seal mode')).toBeEnabled();
  const best = await shownBest(page);
  await page.getByRole('button', { name: 'Seal block' }).click();
  await expect.poll(() => shownBest(page)).toBe(best + 1);
  await expect(page.locator(`[data-number="${best + 1}"]`)).toHaveAccessibleName(/finalized$/);
});

test('a chain that a page of another kind keeps open says so; another chain can be opened', async ({
  context,
  page,
}) => {
  // Simulates a dApp that runs the node itself and does not communicate with these tabs.
  await page.addInitScript(() => {
    Reflect.deleteProperty(window, 'BroadcastChannel');
  });
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/);
  const second = await context.newPage();
  // The time that it gives other tabs to answer passes when the test says so.
  await second.clock.install();
  const pass = async (check: () => Promise<unknown>): Promise<void> =>
    expect(async () => {
      await second.clock.fastForward(1000);
      await check();
    }).toPass();
  await second.goto('/');
  const here = second.getByRole('button', { name: 'Open it here' });
  await pass(() => expect(here).toBeVisible({ timeout: 300 }));
  await here.click();
  const alert = second.getByRole('alert');
  await pass(() => expect(alert).toContainText('Development is still open', { timeout: 300 }));
  await second.getByRole('button', { name: 'Open another chain' }).click();
  await expect(second.getByRole('list', { name: 'Chains' })).toContainText('Development');
});

test('a worker that dies while sealing is told, and one button goes on from the stored chain', async ({
  page,
}) => {
  await trackWorkers(page);
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/);
  const best = await shownBest(page);
  const hash = await page.locator(`[data-number="${best}"]`).getByRole('link').last().getAttribute('title');
  await page.getByRole('button', { name: 'Seal block' }).click({ noWaitAfter: true });
  await killWorker(page);
  await expect(page.getByRole('alert')).toContainText('The node has stopped');
  await page.getByRole('button', { name: 'Restart node' }).click();
  await expect.poll(() => shownBest(page).catch(() => -1)).toBeGreaterThan(best);
  const row = page.locator(`[data-number="${best}"]`).getByRole('link').last();
  await expect(row).toHaveAttribute('title', hash ?? '');
});

test('the keyboard: help sheet, pause, views', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('p');
  await page.getByRole('button', { name: 'Seal block' }).click();
  await expect(page.getByRole('button', { name: /Resume · \d+ waiting/ })).toBeVisible();
  await page.keyboard.press('p');
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  await page.keyboard.press('3');
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeVisible();
});
