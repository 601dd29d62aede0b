import { afterEach, beforeEach, expect, it } from 'vitest';
import { revertChain } from '../../worker/chain/dev/revert.ts';
import type { BlockHash } from '../../worker/codec/identity.ts';
import { createMemoryDatabase } from '../../worker/db/memory.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';

const db = { ...createMemoryDatabase(), close: async () => undefined };
const config = testConfig('development', { finality: { kind: 'manual' } });
// A fixed wall clock gives the same slots in each run, and therefore the same weights of branches.
const open = (): Promise<Node> =>
  createNode(createTestPlatform({ db, now: () => 1_750_000_000_000 }), config);

let node: Node;
beforeEach(async () => {
  node = await open();
});
afterEach(() => node.close());

const sealOn = async (parent?: BlockHash): Promise<BlockHash> => {
  const on = parent === undefined ? {} : { parent };
  const result = await node.parts.author.seal({ createEmpty: true, finalize: false, ...on });
  if (!result.ok) throw new Error(`${result.code}: ${result.message}`);
  return result.hash;
};
const isStored = async (hash: BlockHash): Promise<boolean> =>
  (await node.parts.chain.loadHeader(hash)) !== null;

it('deletes the blocks above the new head, and forks, but not those of a snapshot or below finality', async () => {
  const { chain, dev } = node.parts;
  const first = await sealOn();
  await chain.finalize(first);
  const second = await sealOn();
  const branches = [second, await sealOn(first)];
  const [best = second, other = second] = chain.best().hash === second ? branches : [...branches].reverse();
  const third = await sealOn(best);
  await dev.snapshot('kept');
  const fourth = await sealOn(third);
  await chain.override(fourth, { main: [], children: [], offchain: [] });

  expect(await revertChain(chain, 2)).toBe(2);
  expect(chain.best()).toMatchObject({ hash: best, number: 2 });
  expect(await Promise.all([third, fourth].map(isStored))).toEqual([true, false]);
  expect(chain.overrides().size).toBe(0);

  await dev.deleteSnapshot('kept');
  expect(await revertChain(chain, 256)).toBe(1);
  expect(chain.best()).toMatchObject({ hash: first, number: 1 });
  expect(await Promise.all([best, other].map(isStored))).toEqual([false, false]);
  expect(chain.unfinalized().map(({ hash }) => hash)).toEqual([first]);
  expect(await revertChain(chain, 1)).toBe(0);

  const next = await sealOn();
  await node.close();
  node = await open();
  expect(node.parts.chain.best()).toMatchObject({ hash: next, number: 2 });
});
