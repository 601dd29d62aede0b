import { expect, type Page, test } from '@playwright/test';
import { callHttp } from '../bridge/clients/test-clients.fixture.ts';
import { hasNativeNode, type NativeNode, nativeSpec, startNative } from './native-node.ts';
import { freePort } from './ports.ts';
import { collectFaults, shownBest } from './support.ts';

let native: NativeNode | null = null;
test.afterEach(() => {
  native?.kill();
  native = null;
});

/** A native node that pages can dial, and what it answers. */
const startListening = async (program: string) => {
  const port = await freePort();
  native = await startNative(program, ['--seal-grandpa', '--listen-addr', `/ip4/0.0.0.0/tcp/${port}/ws`]);
  const { address } = native;
  const call = (method: string, ...params: unknown[]) => callHttp(`http://${address}`, method, params);
  const seal = async (count: number): Promise<void> => {
    for (let sealed = 0; sealed < count; sealed++) await call('engine_createBlock', true, false, null);
  };
  const bootNode = `/ip4/127.0.0.1/tcp/${port}/ws/p2p/${await call('system_localPeerId')}`;
  return { address, call, seal, bootNode };
};

const peersOf = async (call: (method: string) => Promise<unknown>): Promise<number> =>
  ((await call('system_peers')) as readonly unknown[]).length;

const badge = (page: Page) => page.getByRole('button', { name: /^(\d+ peers?|no peers|syncing|not joined)/ });

test('from the devtools of a native node, its chain runs in the tab, reload included; a tab that leaves is gone at once', async ({
  page,
}, info) => {
  test.skip(!hasNativeNode, 'there is no native node beside the repository');
  const faults = collectFaults(page);
  const { address, call, seal } = await startListening(info.outputPath('native-node'));
  await page.goto(`/?rpc=ws://${address}#/node`);
  await page.getByRole('button', { name: 'Run this chain in your tab…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Run this chain in your tab' });
  await expect(dialog).toContainText('once a block after the first one is final');
  await seal(40);
  const numberOf = async (hash: unknown) =>
    Number(((await call('chain_getHeader', hash)) as { number: string }).number);
  await expect.poll(async () => numberOf(await call('chain_getFinalizedHead'))).toBeGreaterThan(0);
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await expect(dialog.getByRole('alert')).toHaveCount(0);
  await expect(dialog.getByRole('textbox', { name: 'Nodes' })).toHaveValue(
    /^\/ip4\/127\.0\.0\.1\/tcp\/\d+\/ws\/p2p\//,
  );
  await dialog.getByRole('button', { name: 'Run it here' }).click();
  await expect(page).toHaveURL(/\/#\/.*chain/);
  await expect.poll(() => shownBest(page), { timeout: 60_000 }).toBe(40);
  await expect(badge(page)).toHaveText('1 peer');
  await expect(page.getByText('local sandbox')).toHaveCount(0);
  await expect.poll(() => peersOf(call)).toBe(1);

  await page.goto('about:blank');
  await expect.poll(() => peersOf(call)).toBe(0);
  await seal(10);
  await page.goBack();
  await expect.poll(() => shownBest(page), { timeout: 60_000 }).toBe(50);
  await page.reload();
  await seal(1);
  await expect.poll(() => shownBest(page), { timeout: 60_000 }).toBe(51);
  await badge(page).click();
  const network = page.getByRole('dialog', { name: 'Network' });
  await expect(network.getByRole('row')).toHaveCount(2);
  await network.getByRole('button', { name: 'Leave the network' }).click();
  await expect(network).toContainText('has left its network');
  await expect.poll(() => peersOf(call)).toBe(0);
  await page.reload();
  await expect(badge(page)).toHaveText('not joined');
  await expect(page.getByText('local sandbox')).toBeVisible();
  await badge(page).click();
  await network.getByRole('button', { name: 'Join again' }).click();
  await expect.poll(() => peersOf(call)).toBe(1);
  expect(faults).toEqual([]);
});

test('New chain joins a network by a specification and an address', async ({ page }, info) => {
  test.skip(!hasNativeNode, 'there is no native node beside the repository');
  const { seal, bootNode } = await startListening(info.outputPath('native-node'));
  await seal(5);
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Best block' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Search or run' }).fill('New chain');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'New chain' });
  await dialog.getByRole('radio', { name: 'Join a network' }).check();
  await dialog.getByLabel('Chain specification').setInputFiles(nativeSpec);
  // The name of the specification, which the first chain of this browser has already.
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Development 2');
  const nodes = dialog.getByRole('textbox', { name: 'Nodes' });
  await nodes.fill(bootNode.replace('/ws', ''));
  await dialog.getByRole('button', { name: 'Join and start' }).click();
  await expect(dialog.getByRole('alert')).toContainText('A browser can only dial WebSockets');
  await nodes.fill(bootNode);
  await dialog.getByRole('button', { name: 'Join and start' }).click();
  await expect.poll(() => shownBest(page), { timeout: 60_000 }).toBe(5);
  await expect(badge(page)).toHaveText('1 peer');
});
