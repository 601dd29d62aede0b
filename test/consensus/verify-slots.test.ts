import { describe, expect, it } from 'vitest';
import { Writer } from '../../worker/bytes/writer.ts';
import type { BlockOrigin } from '../../worker/chain/steps.ts';
import type { Header } from '../../worker/codec/header.ts';
import { encodeU64 } from '../../worker/codec/inherent-data.ts';
import { createAura } from '../../worker/consensus/aura/aura.ts';
import { createBabe } from '../../worker/consensus/babe/babe.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import type { Runtime } from '../../worker/executor/executor.ts';
import { type BabeConfiguration, writeAuthorities } from '../../worker/executor/runtime-api-consensus.ts';
import type { Backend } from '../../worker/state/backend.ts';
import { startPace } from '../../worker/tasks/pace.ts';
import {
  auraItem,
  checkTimestamp,
  encodeConfiguration,
  genesisHeader,
  sealedHeader,
  secondaryItem,
  stubConfiguration,
  stubRuntime,
  stubVerifier,
} from '../rigs/stub-runtime.ts';

const crypto = await loadCrypto();
const alice = crypto.suriToPair('//Alice', 'sr25519').publicKey;
const authorities = new Writer(64).vec([alice], (out, key) => out.raw(key)).finish();
const nowMs = 1_800_000_000_000;

const aura = (slotMs: bigint, timestampMs = 0n) =>
  stubRuntime(
    { AuraApi: 1 },
    {
      AuraApi_slot_duration: encodeU64(slotMs),
      AuraApi_authorities: authorities,
      BlockBuilder_check_inherents: checkTimestamp(timestampMs),
    },
  );
const header = (number: number, slot: bigint) => sealedHeader(crypto, 'aura', number, [auraItem(slot)]);

describe('slots of ten minutes', () => {
  const slotMs = 600_000n;
  const slotNow = BigInt(nowMs) / slotMs;
  const judge = (slot: bigint, timestampMs: bigint, origin: BlockOrigin) =>
    stubVerifier({ crypto, runtime: aura(slotMs, timestampMs), nowMs })(
      header(2, slot),
      header(1, slotNow - 1n),
      { origin },
    );

  it('the next one may have started elsewhere, by at most the clock difference that the runtime allows', async () => {
    expect(await judge(slotNow + 1n, BigInt(nowMs) + 30_000n, 'announced')).toMatchObject({ ok: true });
    expect(await judge(slotNow + 1n, BigInt(nowMs) + 30_001n, 'sync')).toMatchObject({ code: 'FutureBlock' });
    expect(await judge(slotNow + 2n, BigInt(nowMs), 'announced')).toMatchObject({ code: 'FutureBlock' });
  });

  it('a block of a file ahead of the clock may have any time in its slot', async () => {
    const slot = slotNow + 100n;
    for (const time of [slot * slotMs, slot * slotMs + 30_001n, (slot + 1n) * slotMs - 1n])
      expect(await judge(slot, time, 'file')).toMatchObject({ ok: true });
    expect(await judge(slot, (slot + 2n) * slotMs, 'file')).toMatchObject({ code: 'FutureBlock' });
  });
});

it('repeated or earlier Aura slots are left to the runtime, as in the SDK', async () => {
  const verify = stubVerifier({ crypto, runtime: aura(6000n), nowMs });
  const slot = BigInt(nowMs) / 6000n;
  for (const next of [slot, slot - 1n])
    expect(await verify(header(2, next), header(1, slot))).toMatchObject({ ok: true });
});

it('a time beyond the range of dates is also refused with an error code', async () => {
  const chainTimeMs = Number.MAX_SAFE_INTEGER;
  const runtime = stubRuntime({}, { BlockBuilder_check_inherents: checkTimestamp(2n ** 63n) });
  const backend = { root: new Uint8Array(32), get: () => null } as unknown as Backend;
  const view = {
    loadHeader: async () => null,
    readState: async <T>(_: unknown, read: (at: { backend: Backend; runtime: Runtime }) => T) =>
      read({ backend, runtime }),
  };
  const verify = stubVerifier({ crypto, runtime, nowMs }, { view });
  const block = { ...genesisHeader, number: 1 };
  const verdict = await verify(block, genesisHeader, { origin: 'file', chainTimeMs });
  expect(verdict).toMatchObject({
    code: 'FutureBlock',
    message: expect.stringContaining(`${chainTimeMs} ms after 1970`),
  });
});

describe('a runtime with impossible slots or epochs', () => {
  const babe = (changes: Partial<BabeConfiguration>) =>
    stubRuntime(
      { BabeApi: 2 },
      { BabeApi_configuration: encodeConfiguration({ ...stubConfiguration(crypto), ...changes }) },
    );
  const engine = {
    crypto,
    keystore: { pairs: () => [] },
    now: () => nowMs,
    floorMs: () => 0,
  };
  const work = { run: async <T>(read: () => T) => read(), pace: startPace() };

  it.each([
    ['slots of 0 ms', { slotDurationMs: 0n }],
    ['epochs of 0 slots', { epochLength: 0n }],
    ['a chance of 1 in 0', { c: [1n, 0n] }],
    ['a chance of 5 in 4', { c: [5n, 4n] }],
  ] as const)('%s of BABE: accepts neither blocks of others nor our own', async (what, changes) => {
    const runtime = babe(changes);
    const block = sealedHeader(crypto, 'BABE', 1, [secondaryItem(BigInt(nowMs) / 6000n)]);
    const verdict = await stubVerifier({ crypto, runtime, nowMs })(block, genesisHeader);
    expect(verdict).toMatchObject({ code: 'Unsupported', message: expect.stringContaining(what) });
    const backend = { root: new Uint8Array(32) } as Backend;
    const input = { parentHash: new Uint8Array(32), parentHeader: genesisHeader, backend, runtime };
    await expect(createBabe(engine).claim({ ...input, slot: 'next' }, work)).rejects.toMatchObject({
      code: 'Unsupported',
    });
  });

  it.each([
    ['current', 'next'],
    ['next', 'current'],
  ])('epochs of 0 slots in the %s one reported by a state', async (wrong, right) => {
    const epoch = (duration: bigint): Uint8Array =>
      writeAuthorities(new Writer(128).u64(0n).u64(5n).u64(duration), [])
        .raw(new Uint8Array(32))
        .u64(1n)
        .u64(4n)
        .u8(1)
        .finish();
    const runtime = stubRuntime(
      { BabeApi: 2 },
      {
        BabeApi_configuration: encodeConfiguration(stubConfiguration(crypto)),
        [`BabeApi_${wrong}_epoch`]: epoch(0n),
        [`BabeApi_${right}_epoch`]: epoch(10n),
      },
    );
    const [parent, block] = [1, 2].map((number) =>
      sealedHeader(crypto, 'BABE', number, [secondaryItem(BigInt(100 + number))]),
    ) as [Header, Header];
    const verdict = await stubVerifier({ crypto, runtime, nowMs })(block, parent);
    expect(verdict).toMatchObject({ code: 'Unsupported' });
  });

  it('slots of 0 ms in Aura, likewise', async () => {
    const runtime = aura(0n);
    const verdict = await stubVerifier({ crypto, runtime, nowMs })(header(1, 5n), genesisHeader);
    expect(verdict).toMatchObject({ code: 'Unsupported' });
    const backend = { root: new Uint8Array(32) } as Backend;
    const input = { parentHash: new Uint8Array(32), parentHeader: genesisHeader, backend, runtime };
    for (const slot of ['next', 'wall'] as const)
      await expect(createAura(engine).claim({ ...input, slot }, work)).rejects.toMatchObject({
        code: 'Unsupported',
      });
  });
});
