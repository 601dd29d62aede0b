import { expect, it } from 'vitest';
import { Writer } from '../../worker/bytes/writer.ts';
import { encodeEngineItem } from '../../worker/codec/digest.ts';
import type { Header } from '../../worker/codec/header.ts';
import { encodePreDigest } from '../../worker/consensus/babe/codec.ts';
import { slotTranscript } from '../../worker/consensus/babe/lottery.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import { writeAuthorities } from '../../worker/executor/runtime-api-consensus.ts';
import { childOf, genesisHeader, sealedHeader, secondaryItem, stubBabe } from '../rigs/stub-runtime.ts';

const crypto = await loadCrypto();
const nowMs = 1_800_000_000_000;
const first = BigInt(nowMs) / 6000n - 100n;
const keyOf = (suri: string) => crypto.suriToPair(suri, 'sr25519');
const log = (writer: Writer) => encodeEngineItem('consensus', 'BABE', writer.finish());
const randomness = new Uint8Array(32).fill(7);
const announce = (suri: string) => {
  const authorities = [{ publicKey: keyOf(suri).publicKey, weight: 1n }];
  return log(writeAuthorities(new Writer(64).u8(1), authorities).raw(randomness));
};
/** Every slot is won. Secondary slots have a VRF, or do not exist. */
const settle = (allowed: 0 | 2) => log(new Writer(32).u8(3).u8(1).u64(1n).u64(1n).u8(allowed));

/** Verifies a header and, if it is valid, the following ones on top of it. */
const start = () => {
  const { verify } = stubBabe(crypto, nowMs);
  let parent: Header = genesisHeader;
  return async (suri: string, items: readonly Uint8Array[]): Promise<string> => {
    const bare = sealedHeader(crypto, 'BABE', parent.number + 1, items);
    const header = childOf(crypto, parent, bare, suri);
    const verdict = await verify(header, parent);
    if (verdict.ok) parent = header;
    return verdict.ok ? 'ok' : verdict.code;
  };
};

const vrfItem = (kind: 'primary' | 'secondaryVrf', suri: string, slot: bigint, index: bigint): Uint8Array => {
  const vrf = crypto.sr25519VrfSign(keyOf(suri).secret, slotTranscript(slot, { index, randomness }));
  return encodeEngineItem('preRuntime', 'BABE', encodePreDigest({ kind, authority: 0, slot, vrf }));
};

it('authorities change exactly with the announced epoch', async () => {
  const judge = start();
  expect(await judge('//Alice', [secondaryItem(first), announce('//Bob')])).toBe('ok');
  expect(await judge('//Bob', [secondaryItem(first + 5n)])).toBe('BadSeal');
  expect(await judge('//Alice', [secondaryItem(first + 5n)])).toBe('ok');
  const next = (slot: bigint) => [secondaryItem(slot), announce('//Charlie')];
  for (const slot of [first + 10n, first + 19n, first + 55n])
    expect(await judge('//Alice', next(slot))).toBe('BadSeal');
  expect(await judge('//Bob', [secondaryItem(first + 10n)])).toBe('BadEpoch');
  // Three epochs without a block: the announcement for the first one applies.
  expect(await judge('//Bob', next(first + 45n))).toBe('ok');
  expect(await judge('//Charlie', [secondaryItem(first + 49n)])).toBe('BadSeal');
  expect(await judge('//Bob', [secondaryItem(first + 49n), announce('//Bob')])).toBe('BadEpoch');
  expect(await judge('//Bob', [secondaryItem(first + 49n)])).toBe('ok');
  expect(await judge('//Bob', [secondaryItem(first + 50n), announce('//Bob')])).toBe('BadSeal');
  expect(await judge('//Charlie', [secondaryItem(first + 50n), announce('//Bob')])).toBe('ok');
});

it('settings change with the epoch they were announced for, and stay until others are announced', async () => {
  const judge = start();
  const alice = announce('//Alice');
  expect(await judge('//Alice', [secondaryItem(first), alice, settle(2)])).toBe('ok');
  const vrf = vrfItem('secondaryVrf', '//Alice', first + 5n, 0n);
  expect(await judge('//Alice', [vrf])).toBe('BadClaim');
  expect(await judge('//Alice', [secondaryItem(first + 10n), alice])).toBe('BadClaim');
  const wrong = vrfItem('secondaryVrf', '//Alice', first + 10n, 0n);
  expect(await judge('//Alice', [wrong, alice])).toBe('BadClaim');
  expect(await judge('//Alice', [vrfItem('secondaryVrf', '//Alice', first + 10n, 1n), alice])).toBe('ok');
  // Epoch 2 is skipped; epoch 3 uses the settings announced for epoch 2.
  expect(await judge('//Alice', [secondaryItem(first + 30n), alice])).toBe('BadClaim');
  expect(await judge('//Alice', [vrfItem('secondaryVrf', '//Alice', first + 30n, 2n), alice])).toBe(
    'BadClaim',
  );
  const back = vrfItem('secondaryVrf', '//Alice', first + 30n, 3n);
  expect(await judge('//Alice', [back, alice, settle(0)])).toBe('ok');
  for (const item of [secondaryItem(first + 40n), vrfItem('secondaryVrf', '//Alice', first + 40n, 4n)])
    expect(await judge('//Alice', [item, alice])).toBe('BadClaim');
  expect(await judge('//Alice', [vrfItem('primary', '//Alice', first + 40n, 4n), alice])).toBe('ok');
});
