import { describe, expect, it } from 'vitest';
import type { ChainEvent } from '../../../chain/events.ts';
import type { BlockHash } from '../../../codec/identity.ts';
import type { RuntimeVersion } from '../../../codec/runtime-version.ts';
import type { Runtime } from '../../../executor/executor.ts';
import { createChangeSets, followRuntimeVersion } from './state-feeds.ts';

const hashOf = (value: number): BlockHash => `0x${`${value}`.padStart(64, '0')}` as string as BlockHash;

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
  it('sends each version that differs in any field, including its APIs and their order', async () => {
    const versions = [
      first,
      { ...first, apis: [...first.apis] },
      { ...first, apis: [...first.apis].reverse() },
      { ...first, apis: first.apis.map(([id]): [Uint8Array, number] => [id, 2]) },
      { ...first, apis: [] },
      { ...first, systemVersion: 2 },
    ];
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

it('identical requests share one object per block and server', () => {
  const changesOf = (value: number) =>
    ({ hash: hashOf(value), changes: { main: [[Uint8Array.of(1), Uint8Array.of(value)]] } }) as never;
  const [first, second] = [changesOf(1), changesOf(2)];
  const [own, other] = [createChangeSets(), createChangeSets()];
  const set = own(first, null, 'all');
  expect(set).toEqual({ block: hashOf(1), changes: [['0x01', '0x01']] });
  expect(other(second, null, 'all')).toEqual({ block: hashOf(2), changes: [['0x01', '0x02']] });
  expect(own(first, null, 'all')).toBe(set);
  expect(own(first, ['0x02'], '0x02')).toEqual({ block: hashOf(1), changes: [] });
  expect(own(second, null, 'all')).toEqual({ block: hashOf(2), changes: [['0x01', '0x02']] });
});
