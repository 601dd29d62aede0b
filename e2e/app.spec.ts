import { expect, test } from '@playwright/test';
import { jsonEditor } from './json-editor.ts';
import { ask, openLine } from './node-line.ts';
import { collectFaults, killWorker, shownBest, trackWorkers } from './support.ts';

test('a page opens without a console error, and anew with what was there; its blocks, console, seal button and keys', async ({
  page,
}) => {
  const faults = collectFaults(page);
  await openLine(page);
  await test.step('the worker starts before the shell is there, and is the only one', async () => {
    const started = page.waitForEvent('worker');
    await page.route('**/assets/index-*.js', async (route) => {
      await started;
      await route.continue();
    });
    await page.goto('/');
    await expect.poll(() => shownBest(page)).toBeGreaterThan(0);
    expect(page.workers()).toHaveLength(1);
    await page.unroute('**/assets/index-*.js');
  });

  await test.step('blocks appear by themselves', async () => {
    await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/);
    await expect(page.getByRole('heading', { level: 1, name: 'Development' })).toBeVisible();
    await expect(page.getByText('local sandbox')).toBeVisible();
    await expect(page.locator('[data-number="0"]')).toBeVisible();
    const best = await shownBest(page);
    await expect.poll(() => shownBest(page)).toBeGreaterThan(best);
  });

  await test.step('a chain that was open before is laid out while its node starts, and not anew when it runs', async () => {
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
    await expect(page.getByLabel('Seal mode')).toHaveValue('every 2 s');
    expect(faults).toEqual([]);
  });

  await test.step('the seal button seals one block in manual mode', async () => {
    await page.getByLabel('Seal mode').selectOption('manual');
    await expect(page.getByLabel('Seal mode')).toBeEnabled();
    // A block may have been sealed before, of which the page has not been told.
    const best = Number((await ask<{ number: string }>(page, 'chain_getHeader')).number);
    await expect.poll(() => shownBest(page)).toBe(best);
    await page.getByRole('button', { name: 'Seal block' }).click();
    await expect.poll(() => shownBest(page)).toBe(best + 1);
    await expect(page.locator(`[data-number="${best + 1}"]`)).toHaveAccessibleName(/finalized$/);
  });

  await test.step('a block opens with its header, digest and extrinsics', async () => {
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

  await test.step('the keyboard: help sheet, pause, views', async () => {
    await page.goto('/#/chain');
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

  const result = page.getByRole('region', { name: 'Result' });
  await test.step('the console runs a method, shows its time and keeps it', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('system_chain');
    await page.getByRole('link', { name: 'chain of system', exact: true }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(result.getByRole('status')).toHaveText('ok');
    await expect(result).toContainText(/"Development"/);
    await expect(result).toContainText(/\d ms/);
    await page.getByLabel('method', { exact: true }).fill('chain_getBlockHash');
    await page.getByRole('button', { name: 'JSON', exact: true }).click();
    await jsonEditor(page, 'params').fill('[12');
    await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeDisabled();
    await page.getByLabel('method', { exact: true }).fill('no_such_method');
    await jsonEditor(page, 'params').fill('');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(result.getByRole('status')).toHaveText('error -32601');
    await expect(page.getByRole('region', { name: 'History' }).getByRole('listitem')).toHaveCount(2);
  });

  await test.step('the console follows a subscription until it is stopped', async () => {
    await page.goto('/#/rpc/chain_subscribeNewHeads');
    await page.getByLabel('Filter methods').fill('');
    await expect(page.getByRole('link', { name: 'subscribeNewHeads of chain', exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(result).toContainText('stateRoot');
    await page.getByRole('button', { name: 'Seal block' }).click();
    await expect(result).toContainText(/[2-9] received/);
    await result.getByRole('button', { name: 'Stop' }).click();
    await expect(result.getByRole('status')).toHaveText('ok');
  });

  await test.step('a worker that does not load, or dies while sealing, is told, and started again when asked, with the stored chain', async () => {
    await page.getByLabel('Seal mode').selectOption('every 2 s');
    await expect(page.getByLabel('Seal mode')).toBeEnabled();
    await trackWorkers(page);
    await page.route('**/assets/worker-main-*.js', (route) => route.abort());
    await page.goto('about:blank');
    await page.goto('/');
    await expect(page.getByText('could not be loaded')).toBeVisible();
    await page.unroute('**/assets/worker-main-*.js');
    await page.getByRole('button', { name: /again|restart/i }).click();
    await expect.poll(() => shownBest(page)).toBeGreaterThan(0);
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
