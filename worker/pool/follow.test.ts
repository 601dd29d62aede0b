import { describe, expect, it } from 'vitest';
import type { ChainEvent } from '../chain/events.ts';
import type { BlockHash } from '../codec/identity.ts';
import { followChain } from './follow.ts';
import type { PoolBlockEvent } from './pool.ts';

describe('followChain', () => {
  it('passes blocks on in order, and resolves when all are processed', async () => {
    let listener = (_event: ChainEvent): void => undefined;
    let stopped = false;
    const seen: string[] = [];
    const following = followChain({
      chain: {
        onEvent: (given) => {
          listener = given;
          return () => {
            stopped = true;
          };
        },
        loadBlock: async () => null,
      },
      pool: {
        onBlock: async (event: PoolBlockEvent) =>
          void seen.push(`block ${event.hash} ${event.enacted.length}`),
        onFinalized: (hashes) => void seen.push(`final ${hashes.join()}`),
      },
      onError: (error) => void seen.push(String(error)),
    });
    const imported = (hash: string, isBest: boolean) =>
      ({
        kind: 'imported',
        hash,
        number: 1,
        isBest,
        enacted: [hash],
        retracted: [],
      }) as unknown as ChainEvent;
    listener(imported('a', true));
    listener(imported('b', false));
    listener({
      kind: 'finalized',
      hash: 'a',
      number: 1,
      proof: null,
      blocks: ['a' as BlockHash],
      pruned: [],
      enacted: [],
      retracted: [],
    } as unknown as ChainEvent);
    expect(seen).toEqual([]);
    await following.settled();
    expect(seen).toEqual(['block a 1', 'final a']);
    following();
    expect(stopped).toBe(true);
  });
});
