import { expect, test } from '@playwright/test';
import { callHttp } from '../bridge/clients/test-clients.fixture.ts';
import { networkBadge, openJoin } from './join-page.ts';
import { hasNativeNode, type NativeNode, nativeSpec, startNative } from './native-node.ts';
import { openOwnChromium, setLife } from './own-chromium.ts';
import { e2eUrl, freePort } from './ports.ts';
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
  await expect(networkBadge(page)).toHaveText('1 peer');
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
  await networkBadge(page).click();
  const network = page.getByRole('dialog', { name: 'Network' });
  await expect(network.getByRole('row')).toHaveCount(2);
  await network.getByRole('button', { name: 'Leave the network' }).click();
  await expect(networkBadge(page)).toHaveText('not joined');
  await expect.poll(() => peersOf(call)).toBe(0);
  await page.reload();
  await expect(networkBadge(page)).toHaveText('not joined');
  await expect(page.getByText('local sandbox')).toBeVisible();
  await networkBadge(page).click();
  await network.getByRole('button', { name: 'Join again' }).click();
  await expect.poll(() => peersOf(call)).toBe(1);
  expect(faults).toEqual([]);
});

test('a tab that slept catches up, and one that was left is gone at once', async ({ page: _page }, info) => {
  test.skip(!hasNativeNode, 'there is no native node beside the repository');
  const { call, seal, bootNode } = await startListening(info.outputPath('native-node'));
  await seal(5);
  const own = await openOwnChromium();
  try {
    const page = await own.context.newPage();
    const dialog = await openJoin(page, nativeSpec, e2eUrl('app'));
    await dialog.getByRole('textbox', { name: 'Nodes' }).fill(bootNode);
    await dialog.getByRole('button', { name: 'Join and start' }).click();
    await expect.poll(() => shownBest(page), { timeout: 60_000 }).toBe(5);
    const front = await own.context.newPage();
    await front.bringToFront();
    await setLife(page, 'frozen');
    await seal(20);
    expect(Number(((await call('chain_getHeader')) as { number: string }).number)).toBe(25);
    await setLife(page, 'active');
    await page.bringToFront();
    await expect.poll(() => shownBest(page), { timeout: 90_000 }).toBe(25);
    await expect(networkBadge(page)).toHaveText('1 peer');
    // This browser keeps pages that were left, so that it can go back to them.
    await page.goto(e2eUrl('pages'));
    await expect.poll(() => peersOf(call)).toBe(0);
    await seal(5);
    await page.goBack();
    await expect.poll(() => shownBest(page), { timeout: 60_000 }).toBe(30);
  } finally {
    await own.close();
  }
});

test('New chain joins a network by a specification and an address', async ({ page }, info) => {
  test.skip(!hasNativeNode, 'there is no native node beside the repository');
  const { seal, bootNode } = await startListening(info.outputPath('native-node'));
  await seal(5);
  const dialog = await openJoin(page, nativeSpec);
  // The name of the specification, which the first chain of this browser has already.
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Development 2');
  const nodes = dialog.getByRole('textbox', { name: 'Nodes' });
  await nodes.fill(bootNode.replace('/ws', ''));
  await dialog.getByRole('button', { name: 'Join and start' }).click();
  await expect(dialog.getByRole('alert')).toContainText('A browser can only dial WebSockets');
  await nodes.fill(bootNode);
  await dialog.getByRole('button', { name: 'Join and start' }).click();
  await expect.poll(() => shownBest(page), { timeout: 60_000 }).toBe(5);
  await expect(networkBadge(page)).toHaveText('1 peer');
});
