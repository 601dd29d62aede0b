import { describe, expect, it } from 'vitest';
import type { ChainEvent } from '../chain/events.ts';
import type { BlockHash } from '../codec/identity.ts';
import type { RuntimeVersion } from '../codec/runtime-version.ts';
import type { Runtime } from '../executor/executor.ts';
import { followRuntimeVersion } from './state-feeds.ts';

const first: RuntimeVersion = {
  specName: 'a',
  implName: 'b',
  authoringVersion: 1,
  specVersion: 1,
  implVersion: 1,
  apis: [
    [Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8), 1],
    [Uint8Array.of(8, 7, 6, 5, 4, 3, 2, 1), 1],
  ],
  transactionVersion: 1,
  systemVersion: 1,
};

describe('followRuntimeVersion', () => {
  it('tells of each version that differs in anything, its APIs and their order as well', async () => {
    const versions = [
      first,
      { ...first, apis: [...first.apis] },
      { ...first, apis: [...first.apis].reverse() },
      { ...first, apis: first.apis.map(([id]): [Uint8Array, number] => [id, 2]) },
      { ...first, apis: [] },
      { ...first, systemVersion: 2 },
    ];
    const hashOf = (number: number) => `0x${number}` as string as BlockHash;
    let listener = (_event: ChainEvent): void => undefined;
    const told: RuntimeVersion[] = [];
    const arrived = new Promise<void>((resolve, reject) => {
      const chain = {
        best: () => ({ hash: hashOf(0), number: 0 }),
        runtimeAt: async (hash: BlockHash) =>
          ({ version: versions[Number(hash.slice(2))] }) as unknown as Runtime,
        onEvent: (given: typeof listener) => {
          listener = given;
          return () => undefined;
        },
      };
      followRuntimeVersion(
        { chain, onError: reject },
        (version) => {
          told.push(version);
          if (version.systemVersion === 2) resolve();
        },
        reject,
      );
    });
    for (let number = 1; number < versions.length; number++)
      listener({ kind: 'imported', hash: hashOf(number), isBest: true } as unknown as ChainEvent);
    await arrived;
    expect(told).toEqual([versions[0], ...versions.slice(2)]);
  });
});
