import { describe, expect, it } from 'vitest';
import { noBytes } from '../../../bytes/bytes.ts';
import { hexToBytes } from '../../../bytes/hex.ts';
import type { BlockHash } from '../../../codec/identity.ts';
import type { Backend } from '../../../state/backend.ts';
import { MissingNodes, missingNode } from '../../../trie/missing-nodes.ts';
import type { RpcParts } from '../../parts.ts';
import { textOf } from '../../results.ts';
import { type Budget, createBudget, listKeys, walkKeys } from './walks.ts';

const at = '0x00' as BlockHash;
const total = 1000;
const keyOf = (index: number): Uint8Array => Uint8Array.of(index >> 8, index & 255);
const indexOf = (key: Uint8Array): number => ((key[0] as number) << 8) | (key[1] as number);
const list = async (...asked: Parameters<typeof listKeys>): Promise<number[]> =>
  (JSON.parse(textOf(await listKeys(...asked)) as string) as string[]).map((key) => indexOf(hexToBytes(key)));

/**
 * A state of a thousand keys. The first read of a multiple of `missAt` misses its node, as in a cold state.
 */
const createParts = (missAt: number) => {
  const missed = new Set<number>();
  const reads: number[] = [];
  const backend = {
    visitKeys: ({ start }, visit) => {
      for (let index = start === null ? 0 : indexOf(start) + 1; index < total; index++) {
        if (index % missAt === 0 && !missed.has(index)) {
          missed.add(index);
          throw new MissingNodes([missingNode(keyOf(index))]);
        }
        reads.push(index);
        if (!visit(keyOf(index), 1)) return;
      }
    },
  } as Pick<Backend, 'visitKeys'> as Backend;
  const withState: RpcParts['chain']['withState'] = async (_hash, read) => {
    for (;;) {
      try {
        return read(backend);
      } catch (error) {
        if (!(error instanceof MissingNodes)) throw error;
      }
    }
  };
  return { parts: { chain: { withState } as RpcParts['chain'] }, reads };
};

const everyTurn = (rests: number[]): Budget => ({
  spend: () => undefined,
  isDue: () => true,
  rest: async () => void rests.push(rests.length),
});

describe('a long read', () => {
  it('returns every key once, in order, and yields to others', async () => {
    const rests: number[] = [];
    const { parts } = createParts(7);
    const keys = await list(parts, { at, prefix: noBytes }, everyTurn(rests));
    expect(keys).toEqual(Array.from({ length: total }, (_, index) => index));
    expect(rests.length).toBeGreaterThan(total / 32);
  });

  it('keeps what it has read before a miss', async () => {
    const { parts, reads } = createParts(10);
    await walkKeys(
      parts,
      { at, prefix: noBytes },
      everyTurn([]),
      (_backend, key) => key,
      () => undefined,
    );
    expect(reads.length).toBe(total);
  });

  it('reads no more keys than requested', async () => {
    const { parts } = createParts(10);
    const walk = { at, prefix: noBytes, start: keyOf(4), count: 45 };
    expect(await list(parts, walk, everyTurn([]))).toEqual(
      Array.from({ length: 45 }, (_, index) => index + 5),
    );
    expect(await list(parts, { ...walk, count: 0 }, everyTurn([]))).toEqual([]);
  });

  it('stops at the maximum response size', async () => {
    const { parts } = createParts(2000);
    const budget = createBudget({ maxResponseBytes: 900 });
    await expect(listKeys(parts, { at, prefix: noBytes }, budget)).rejects.toMatchObject({
      code: -32008,
      data: 'Exceeded max limit of 900',
    });
  });
});
