import { expect, it } from 'vitest';
import { Writer } from '../../worker/bytes/writer.ts';
import { encodeEngineItem } from '../../worker/codec/digest.ts';
import { headerNextEpoch } from '../../worker/consensus/babe/codec.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import { writeAuthorities } from '../../worker/executor/runtime-api-consensus.ts';
import { genesisHeader, sealedHeader, secondaryItem, stubBabe } from '../rigs/stub-runtime.ts';

const crypto = await loadCrypto();
const nowMs = 1_800_000_000_000;
const slot = BigInt(nowMs) / 6000n;
const { configuration, verify } = stubBabe(crypto, nowMs);
const first = (...items: readonly Uint8Array[]) =>
  sealedHeader(crypto, 'BABE', 1, [secondaryItem(slot), ...items]);
const log = (data: Uint8Array) => encodeEngineItem('consensus', 'BABE', data);
const { authorities } = configuration;
const randomness = new Uint8Array(32).fill(7);
const epochData = writeAuthorities(new Writer(64).u8(1), authorities).raw(randomness).finish();
const settings = (version: number, allowed: number) =>
  log(new Writer(32).u8(3).u8(version).u64(1n).u64(2n).u8(allowed).finish());

it.each([
  ['nothing', log(new Uint8Array())],
  ['an unknown kind', log(Uint8Array.of(9, 1, 2))],
  ['an epoch that is cut off', log(epochData.slice(0, -1))],
  ['more authorities than bytes', log(Uint8Array.of(1, 4, 5))],
  ['a length in too many bytes', log(Uint8Array.of(1, 1, 0, ...randomness))],
  ['settings that are cut off', log(Uint8Array.of(3, 1, 1))],
  ['settings of another version', settings(2, 1)],
  ['settings with an unknown kind of slots', settings(1, 3)],
])('%s in a BABE item announces nothing and is not refused', async (_, item) => {
  const good = log(epochData);
  for (const header of [first(good, item), first(item, good)]) {
    expect(await verify(header, genesisHeader)).toMatchObject({ ok: true });
    expect(headerNextEpoch(header)).toEqual({ authorities, randomness, config: null });
  }
  expect(await verify(first(item), genesisHeader)).toMatchObject({ code: 'BadEpoch' });
});

it('trailing bytes are ignored', async () => {
  const header = first(log(new Uint8Array([...epochData, 1, 2, 3])), settings(1, 2));
  expect(await verify(header, genesisHeader)).toMatchObject({ ok: true });
  expect(headerNextEpoch(header)?.config).toEqual({ c: [1n, 2n], allowedSlots: 2 });
});
