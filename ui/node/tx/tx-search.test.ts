import { expect, it } from 'vitest';
import type { ChainView } from '../chain-view.svelte.ts';
import type { UiNode } from '../client/ui-node.ts';
import { loadExtrinsicHashes } from '../hashes.ts';
import { TxSearch } from './tx-search.svelte.ts';

const extrinsic = '0x0c040102';

it('finds a transaction in a block that arrives while older blocks are searched', async () => {
  const [hash = ''] = await loadExtrinsicHashes([extrinsic]);
  const pool = Promise.withResolvers<object>();
  const answers: Readonly<Record<string, (params: readonly unknown[]) => unknown>> = {
    chain_getHeader: () => ({ number: '0x1' }),
    dev_pool: () => pool.promise,
    chain_getBlockHash: ([numbers]) => (numbers as number[]).map((number) => `0x0${number}`),
    archive_v1_finalizedHeight: () => 0,
    archive_v1_hashByHeight: ([height]) => [`0x0${height}`],
  };
  const node = {
    offers: () => true,
    request: async (method: string, params: readonly unknown[]) => answers[method]?.(params),
  };
  const chain = {
    best: { number: 1, hash: '0x01' },
    loadBlock: async (of: string) => ({
      hash: of,
      number: Number(of),
      extrinsics: of === '0x02' ? [extrinsic] : [],
    }),
  };
  const search = new TxSearch(node as unknown as UiNode, chain as unknown as ChainView, hash);
  const searching = search.search();
  await search.follow(2);
  expect(search.place).toBeNull();
  pool.resolve({ ready: [], future: [] });
  await searching;
  expect(search.place).toMatchObject({ kind: 'block', number: 2, best: true });
  expect(search.lastNumber).toBe(2);
});

it('of a node that does not list the blocks of a height, the best chain is searched', async () => {
  const [hash = ''] = await loadExtrinsicHashes([extrinsic]);
  const asked: string[] = [];
  const request = async (method: string) => {
    asked.push(method);
    if (method === 'chain_getHeader') return { number: '0x1' };
    return method === 'chain_getBlockHash' ? ['0x01', '0x00'] : { ready: [], future: [] };
  };
  const loadBlock = async (of: string) => ({ hash: of, number: Number(of), extrinsics: [] });
  const search = new TxSearch({ offers: () => false, request } as never, { loadBlock } as never, hash);
  await search.search();
  expect([search.fault, search.searched, search.nextDown]).toEqual([null, 2, null]);
  expect(asked.join()).not.toContain('archive');
});

it('an answer about an earlier best block does not replace the place in a later one', async () => {
  const [hash = ''] = await loadExtrinsicHashes([extrinsic]);
  const first = Promise.withResolvers<void>();
  const blocks: Readonly<Record<string, readonly string[]>> = { a2: [extrinsic], b2: [], b3: [extrinsic] };
  let best = 'a';
  const request = async (method: string, [of]: readonly unknown[]) => {
    if (method === 'chain_getHeader') return { number: '0x1' };
    if (method !== 'chain_getBlockHash') return { ready: [], future: [] };
    const branch = best;
    const hashes = [of].flat().map((number) => `${number === 1 ? 'a' : branch}${number}`);
    if (branch === 'a' && hashes.includes('a2')) await first.promise;
    return Array.isArray(of) ? hashes : hashes[0];
  };
  const loadBlock = async (of: string) => ({ hash: of, number: Number(of[1]), extrinsics: blocks[of] ?? [] });
  const search = new TxSearch({ offers: () => false, request } as never, { loadBlock } as never, hash);
  await search.search();
  expect([search.place, search.isSearched]).toEqual([null, true]);
  const early = search.follow(2);
  // A reorganization, while the first answer is under way.
  best = 'b';
  const late = search.follow(3);
  first.resolve();
  await Promise.all([early, late]);
  expect(search.place).toMatchObject({ block: 'b3', number: 3, best: true });
});
