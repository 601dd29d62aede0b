import { describe, expect, it } from 'vitest';
import { NodeError } from '../../../../src/protocol/errors.ts';
import type { BlockHash } from '../../../codec/identity.ts';
import type { RpcParts } from '../../parts.ts';
import { followHead } from './follow-head.ts';
import type { Follow, FollowEvent } from './follows.ts';

describe('newRuntime', () => {
  it("is reported if any field of the version differs from the parent's, even one that it does not contain", async () => {
    const version = {
      specName: 'a',
      implName: 'b',
      authoringVersion: 1,
      specVersion: 1,
      implVersion: 1,
      apis: [[Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8), 1]],
      transactionVersion: 1,
      systemVersion: 1,
    };
    const versions = [
      version,
      { ...version, apis: [...version.apis] },
      { ...version, authoringVersion: 2 },
      { ...version, authoringVersion: 2, systemVersion: 2 },
      { ...version, authoringVersion: 2, systemVersion: 2, specVersion: 2 },
    ];
    const hashes = versions.map((_version, number) => `0x${number}` as string as BlockHash);
    const best = { hash: hashes.at(-1) as BlockHash, number: hashes.length - 1 };
    const chain = {
      finalized: () => ({ hash: hashes[0], number: 0 }),
      best: () => best,
      unfinalized: () => hashes.map((hash, number) => ({ hash, number, parent: hashes[number - 1] })),
      loadHeader: async () => null,
      runtimeAt: async (hash: BlockHash) => ({ version: versions[hashes.indexOf(hash)] }),
      onEvent: () => () => undefined,
    } as unknown as RpcParts['chain'];
    const events: FollowEvent[] = [];
    await new Promise<void>((resolve, reject) => {
      const follow = {
        withRuntime: true,
        pin: () => undefined,
        emit: (event: FollowEvent) => {
          events.push(event);
          if (event.event === 'bestBlockChanged') resolve();
        },
      } as unknown as Follow;
      followHead({ chain, onError: reject }, follow, { stopAll: () => undefined });
    });
    const told = events.filter(({ event }) => event === 'newBlock').map(({ newRuntime }) => newRuntime);
    const spec = { specName: 'a', specVersion: 1 };
    expect(told).toMatchObject([null, { type: 'valid', spec }, { spec }, { spec: { specVersion: 2 } }]);
  });
});

describe('a chain that cannot be read', () => {
  const [genesis, first] = ['0x0', '0x1'] as string[] as BlockHash[];
  const broken = new NodeError('StorageBroken', 'A record is damaged');
  const follow = (isStateKept: () => Promise<boolean>) => {
    const chain = {
      base: { hash: genesis, number: 0 },
      finalized: () => ({ hash: first, number: 1 }),
      best: () => ({ hash: first, number: 1 }),
      unfinalized: () => [{ hash: first, number: 1, parent: genesis }],
      loadHeader: async (hash: BlockHash) => ({
        number: hash === first ? 1 : 0,
        parentHash: new Uint8Array(32),
      }),
      isStateKept,
      onEvent: () => () => undefined,
    } as unknown as RpcParts['chain'];
    const events: FollowEvent[] = [];
    return new Promise<{ events: FollowEvent[]; error: unknown; stopped: boolean }>((resolve) => {
      let stopped = false;
      const end = (error: unknown) => resolve({ events, error, stopped });
      const emit = (event: FollowEvent) => {
        events.push(event);
        if (event.event === 'bestBlockChanged') end(null);
      };
      const stop = () => {
        stopped = true;
      };
      const one = { withRuntime: false, pin: () => undefined, emit, stop } as unknown as Follow;
      followHead({ chain, onError: end }, one, { stopAll: () => undefined });
    });
  };

  it('ends the follow, instead of being reported as a chain whose older states are gone', async () => {
    expect(await follow(() => Promise.reject(broken))).toEqual({ events: [], error: broken, stopped: true });
  });
  it('a state that is gone ends the list of finalized blocks', async () => {
    const { events, error, stopped } = await follow(async () => false);
    expect(events[0]).toEqual({ event: 'initialized', finalizedBlockHashes: [first] });
    expect([error, stopped]).toEqual([null, false]);
  });
});
