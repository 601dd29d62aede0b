import { describe, expect, it } from 'vitest';
import { NodeError } from '../../../../src/protocol/errors.ts';
import type { Chain } from '../../../chain/chain.ts';
import type { TreeBlock } from '../../../chain/tree.ts';
import { type BlockHash, bytesToBlockHash } from '../../../codec/identity.ts';
import { createFinalizer } from './finalize.ts';

const hash = bytesToBlockHash(new Uint8Array(32).fill(5));
const commit = { target: { hash, number: 5 }, precommits: [] };

/** A chain that refuses to finalize, and the blocks it still has above the finalized one afterwards. */
const refusing = (fault: Error, left: readonly string[]) =>
  createFinalizer({
    chain: {
      finalized: () => ({ hash: bytesToBlockHash(new Uint8Array(32).fill(2)), number: 2 }) as TreeBlock,
      loadHeader: async () => null,
      view: {
        tree: { get: (one: BlockHash) => (left.includes(one) ? { hash: one } : null) },
      } as unknown as Chain['view'],
      finalize: async () => {
        throw fault;
      },
    },
  });

describe('a block that cannot be finalized', () => {
  const fault = new NodeError('NotFinalizable', 'Block #5 is on an abandoned branch');

  it('is no error if a jump has left it', async () => {
    await expect(refusing(fault, [])(1n, commit)).resolves.toBeUndefined();
  });

  it('is one if it was not refused, although a jump has left it', async () => {
    await expect(refusing(new Error('The disk is full'), [])(1n, commit)).rejects.toThrow('The disk is full');
  });

  it('is one if the block is still there, and the next block is tried', async () => {
    const finalize = refusing(new Error('The disk is full'), [hash]);
    await expect(finalize(1n, commit)).rejects.toThrow('The disk is full');
    await expect(finalize(2n, commit)).rejects.toThrow('The disk is full');
  });
});
