import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMemoryDatabase } from '../../worker/db/memory.ts';
import { createKnownAddresses } from '../../worker/network/peers/known-addresses.ts';
import { killServed, serveTabnode } from './serve-tabnode.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tabnode-known-'));
});
afterAll(() => {
  killServed();
  rmSync(folder, { recursive: true });
});

it('a node finds a node that it has reached before without its boot nodes', async () => {
  const listens = ['--listen-addr', '/ip4/127.0.0.1/tcp/0/ws', '--seal', 'manual'];
  const first = await serveTabnode('local_testnet', ...listens);
  const place = ['--base-path', folder, '--seal', 'manual'];
  const peersOf = async (node: typeof first) =>
    (await node.call<{ peerId: string }[]>('system_peers')).map(({ peerId }) => peerId);
  const before = await serveTabnode('local_testnet', ...place, '--bootnodes', first.addresses[0] ?? '');
  await expect.poll(() => peersOf(before), { timeout: 20_000 }).toEqual([first.peerId]);
  await before.stop();
  const after = await serveTabnode('local_testnet', ...place, '--network');
  await expect.poll(() => peersOf(after), { timeout: 20_000 }).toEqual([first.peerId]);
  await after.stop();
  const reserved = await serveTabnode('local_testnet', ...place, '--network', '--reserved-only');
  expect(await reserved.call('dev_network')).toMatchObject({ joined: true, peers: [], unreachable: {} });
  await reserved.stop();
  await first.stop();
}, 60_000);

it('the newest 64 are kept, each once', async () => {
  const db = createMemoryDatabase();
  const { note } = createKnownAddresses(db);
  for (let port = 1; port <= 70; port++) await note(`/ip4/127.0.0.1/tcp/${port}`);
  await note('/ip4/127.0.0.1/tcp/40');
  const stored = await createKnownAddresses(db).load();
  expect(stored).toHaveLength(64);
  expect(stored.slice(0, 3)).toEqual([40, 70, 69].map((port) => `/ip4/127.0.0.1/tcp/${port}`));
  expect(new Set(stored).size).toBe(64);
});
