import { expect, it } from 'vitest';
import { type BlockHash, bytesToBlockHash } from '../../codec/identity.ts';
import type { Database } from '../../db/database.ts';
import { createBlockTree } from '../tree.ts';
import { createPrunedBranches } from './pruned-branches.ts';
import type { StatePruning } from './state-pruning.ts';

const hashOf = (digit: string): BlockHash => `0x${digit.repeat(64)}` as BlockHash;

it('reports an abandoned fork that cannot be deleted, and deletes it with the next one', async () => {
  const errors: unknown[] = [];
  const deleted: BlockHash[][] = [];
  let isBroken = true;
  const db = {
    get: async () => null,
    write: async ({ deletes }: { deletes: readonly [store: string, key: Uint8Array][] }) => {
      if (isBroken) throw new Error('the disk is full');
      deleted.push(deletes.flatMap(([store, key]) => (store === 'bodies' ? [bytesToBlockHash(key)] : [])));
    },
  } as unknown as Database;
  const lost = createPrunedBranches({
    db,
    tree: createBlockTree({ hash: hashOf('0'), number: 0, parent: hashOf('f'), weight: 0, isOwn: false }),
    view: { loadHeader: async () => ({ number: 1 }) as never, forgetBlocks: () => undefined },
    pruning: { stageLost: async () => () => undefined } as unknown as StatePruning,
    onError: (error) => errors.push(error),
  });
  await lost.discardAfter(Promise.resolve(), [hashOf('a')]);
  expect(errors).toHaveLength(1);
  isBroken = false;
  await lost.discardAfter(Promise.resolve(), [hashOf('b')]);
  expect(deleted).toEqual([[hashOf('a'), hashOf('b')]]);
  await lost.discardAfter(Promise.resolve(), []);
  expect([deleted.length, errors.length]).toEqual([1, 1]);
});
