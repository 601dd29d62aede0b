import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPageNode } from '../../test/rigs/page-node.ts';
import { upgradeIn } from '../../ui/testing/upgraded-node.ts';
import { upgradeLog } from './digest.ts';
import { createMetaLoader } from './load.ts';
import type { RuntimeMeta } from './types.ts';

/** Blocks 1 to 3; the upgrade is in block 2. */
let node: Awaited<ReturnType<typeof openPageNode>>;
let request: typeof node.request;
let hashes: readonly string[];

beforeAll(async () => {
  node = await openPageNode();
  for (let block = 2; block <= 3; block++) await node.request('dev_newBlock', []);
  request = upgradeIn(node.request, 2);
  hashes = (await request('chain_getBlockHash', [[0, 1, 2, 3]])) as string[];
});
afterAll(() => node.close());

const versionOf = ({ metadata }: RuntimeMeta) =>
  metadata.pallets.some(({ name }) => name === 'Balances') ? 'old' : 'new';
const ask = async (loader: ReturnType<typeof createMetaLoader>, how: 'at' | 'of') =>
  Promise.all(hashes.map(async (hash) => versionOf(await loader[how](hash))));

it('tells the runtime in the state of a block from the one that executed it', async () => {
  const loader = createMetaLoader({ request });
  expect(await ask(loader, 'at')).toEqual(['old', 'old', 'new', 'new']);
  expect(await ask(loader, 'of')).toEqual(['old', 'old', 'old', 'new']);
  expect(versionOf(await loader.of(null))).toBe('new');
  const early = createMetaLoader({ request: upgradeIn(node.request, 3) });
  expect([await early.at(null), await early.of(null)].map(versionOf)).toEqual(['new', 'old']);
});

it('asks once for each block, and for no header that it is given', async () => {
  const asked: string[] = [];
  const loader = createMetaLoader({
    request: (method, params) => {
      asked.push(method);
      return request(method, params);
    },
  });
  const [, , hash = ''] = hashes;
  const header = (await request('chain_getHeader', [hash])) as NonNullable<Parameters<typeof loader.of>[1]>;
  await loader.of(hash, header);
  expect(asked).not.toContain('chain_getHeader');
  const before = asked.length;
  await loader.of(hash);
  expect(asked.length).toBe(before);
});

it('the oldest state that is kept has its own runtime, unless its block is an upgrade', async () => {
  const pruned = (logs: readonly string[]) =>
    createMetaLoader({
      request: async (method, params) => {
        if (params.includes(hashes[0]) || params.includes(hashes[1]))
          throw new Error(`State already discarded for ${hashes[1]}`);
        const answer = await node.request(method, params);
        return method === 'chain_getHeader' ? { ...(answer as object), digest: { logs } } : answer;
      },
    });
  const [, , hash = ''] = hashes;
  expect(versionOf(await pruned([]).of(hash))).toBe('old');
  await expect(pruned([upgradeLog]).of(hash)).rejects.toThrow('State already discarded');
});

it('a failure is not remembered', async () => {
  let fails = true;
  const loader = createMetaLoader({
    request: async (method, params) => {
      if (fails) throw new Error('lost');
      return request(method, params);
    },
  });
  const [, , hash = ''] = hashes;
  await expect(loader.of(hash)).rejects.toThrow('lost');
  fails = false;
  expect(versionOf(await loader.of(hash))).toBe('old');
});

it('metadata of a version that cannot be read is explained in one sentence', async () => {
  const explained = (version: number) =>
    createMetaLoader({
      request: async (method) => {
        if (method === 'state_call') throw new Error('not exported');
        return method === 'state_getMetadata'
          ? `0x6d657461${version.toString(16).padStart(2, '0')}`
          : '0xc0de';
      },
    })
      .at(null)
      .then(
        () => null,
        (fault: { explained?: string }) => fault.explained,
      );
  const rest = 'than this page reads. Blocks, raw storage and RPC work.';
  expect(await explained(8)).toBe(`This runtime’s metadata (V8) is older ${rest}`);
  expect(await explained(17)).toBe(`This runtime’s metadata (V17) is newer ${rest}`);
});
