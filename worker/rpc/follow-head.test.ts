import { describe, expect, it } from 'vitest';
import type { BlockHash } from '../codec/identity.ts';
import { followHead } from './follow-head.ts';
import type { Follow, FollowEvent } from './follows.ts';
import type { RpcParts } from './parts.ts';

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
