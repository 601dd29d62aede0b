import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openForkStorage } from './chain-source.ts';

const basePath = mkdtempSync(join(tmpdir(), 'tabnode-folders-'));
afterAll(() => rmSync(basePath, { recursive: true }));

const folderOf = async (source: string): Promise<string> => {
  const storage = await openForkStorage({ basePath, json: true }, source, undefined);
  if (storage.kind !== 'sqlite') throw new Error('not stored');
  return basename(dirname(storage.path));
};

it('forks of several chains of one host are stored apart', async () => {
  expect(await folderOf('wss://rpc.example/polkadot')).toBe('fork_rpc.example_polkadot_finalized');
  expect(await folderOf('wss://rpc.example/kusama/')).toBe('fork_rpc.example_kusama_finalized');
  expect(await folderOf('ws://127.0.0.1:9944')).toBe('fork_127.0.0.1_9944_finalized');
});

it('no part of a URL or file leads out of the folder, or is a secret', async () => {
  expect(await folderOf('wss://me:secret@rpc.example/%2e%2e/../x%2F..%2Fy?key=secret')).toBe(
    'fork_rpc.example_x_2F.._2Fy_finalized',
  );
  expect(await folderOf('../../evil\u001b.pack')).toBe('fork_evil_.pack_finalized');
  expect((await folderOf(`wss://rpc.example/${'x'.repeat(2000)}`)).length).toBeLessThan(200);
});
