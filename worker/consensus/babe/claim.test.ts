import { expect, test, vi } from 'vitest';
import { encodeConfiguration, stubConfiguration, stubRuntime } from '../../../test/rigs/stub-runtime.ts';
import { Writer } from '../../bytes/writer.ts';
import { encodeEngineItem } from '../../codec/digest.ts';
import type { Header } from '../../codec/header.ts';
import { loadCrypto } from '../../crypto/crypto.ts';
import { type BabeConfiguration, writeAuthorities } from '../../executor/runtime-api-consensus.ts';
import type { Backend } from '../../state/backend.ts';
import { yieldNow } from '../../tasks/pace.ts';
import { createBabe } from './babe.ts';
import { encodePreDigest } from './codec.ts';

const crypto = await loadCrypto();
const alice = crypto.suriToPair('//Alice', 'sr25519');
const strangers = Array.from({ length: 999 }, (_, index) => ({
  publicKey: new Uint8Array(32).fill(index & 0xff).with(1, index >> 8),
  weight: 1n,
}));
/** //Alice is one of a thousand, and there are no secondary slots: each slot is won with a chance of 1 in 3,500. */
const authorities = [...strangers, { publicKey: alice.publicKey, weight: 1n }];
const firstSlot = 5000n;
const epochLength = 600n;

const epochAt = (index: bigint, randomness: number, among: BabeConfiguration['authorities']): Uint8Array =>
  writeAuthorities(
    new Writer(65_536)
      .u64(index)
      .u64(firstSlot + index * epochLength)
      .u64(epochLength),
    among,
  )
    .raw(new Uint8Array(32).fill(randomness))
    .u64(1n)
    .u64(4n)
    .u8(0)
    .finish();

/** A chain at the first block of epoch 0, whose next epoch has these authorities. */
const search = (next: BabeConfiguration['authorities']) => {
  const nextEpoch = vi.fn(() => epochAt(1n, 2, next));
  const runtime = stubRuntime(
    { BabeApi: 2 },
    {
      BabeApi_configuration: encodeConfiguration({ ...stubConfiguration(crypto), epochLength, authorities }),
      BabeApi_current_epoch: epochAt(0n, 1, authorities),
      BabeApi_next_epoch: nextEpoch,
    },
  );
  const item = { kind: 'secondaryPlain', authority: 0, slot: firstSlot, vrf: null } as const;
  const zero = new Uint8Array(32);
  const parentHeader: Header = {
    ...{ parentHash: zero, number: 1, stateRoot: zero, extrinsicsRoot: zero },
    digest: [encodeEngineItem('preRuntime', 'BABE', encodePreDigest(item))],
  };
  const pairs = vi.fn(() => [{ ...alice, scheme: 'sr25519' as const }]);
  const babe = createBabe({ crypto, keystore: { pairs }, now: () => 0, floorMs: () => 0 });
  const input = { parentHash: zero, parentHeader, backend: { root: zero } as Backend, runtime };
  return { babe, input, pairs, nextEpoch };
};

test('a search through thousands of slots lets other work run after each slot that is due', async () => {
  const { babe, input, pairs } = search(strangers);
  let turns = 0;
  let isDone = false;
  const count = async (): Promise<void> => {
    while (!isDone) {
      await yieldNow();
      turns++;
    }
  };
  const counting = count();
  const pace = { pause: vi.fn(yieldNow) };
  const claim = await babe.claim({ ...input, slot: 'next' }, { run: async (read) => read(), pace });
  isDone = true;
  await counting;
  // //Alice wins none of the 599 slots that are left, and belongs to no later epoch.
  expect(claim).toBeNull();
  expect(pace.pause).toHaveBeenCalledTimes(2001);
  expect(turns).toBeGreaterThan(2000);
  // The keys are looked up once per epoch.
  expect(pairs.mock.calls.length).toBeLessThanOrEqual(5);
});

test('a search goes on in the next epoch, with its keys', async () => {
  const { babe, input } = search([{ publicKey: alice.publicKey, weight: 1n }]);
  let reads = 0;
  const run = async <T>(read: () => T): Promise<T> => {
    reads++;
    return read();
  };
  const pace = { pause: () => null };
  const claim = await babe.claim({ ...input, slot: 'next' }, { run, pace });
  expect(claim?.timestampMs).toBeGreaterThanOrEqual((firstSlot + epochLength) * 6000n);
  // The configuration, the current epoch, the one of the first slot, and the next epoch.
  expect(reads).toBe(4);
});
