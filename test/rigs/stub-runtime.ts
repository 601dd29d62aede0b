import { Writer } from '../../worker/bytes/writer.ts';
import { hashHeader } from '../../worker/chain/hashes.ts';
import type { Incoming } from '../../worker/chain/steps.ts';
import type { TreeBlock } from '../../worker/chain/tree.ts';
import type { Block } from '../../worker/codec/block.ts';
import { encodeEngineItem } from '../../worker/codec/digest.ts';
import { encodeHeader, type Header } from '../../worker/codec/header.ts';
import { bytesToBlockHash } from '../../worker/codec/identity.ts';
import { encodeU64 } from '../../worker/codec/inherent-data.ts';
import { encodePreDigest } from '../../worker/consensus/babe/codec.ts';
import { createVerifier, type VerifierDeps } from '../../worker/consensus/verifier.ts';
import type { Crypto } from '../../worker/crypto/crypto.ts';
import type { Runtime } from '../../worker/executor/executor.ts';
import { type BabeConfiguration, writeAuthorities } from '../../worker/executor/runtime-api-consensus.ts';
import type { Backend } from '../../worker/state/backend.ts';
import { sealWith } from './reseal.ts';

type Answer = (input: Uint8Array) => Uint8Array;

const okay = Uint8Array.of(1, 0, 0);
/** `TooFarInFuture` of `timstap0`. */
const tooFar = new Writer(16)
  .u8(0)
  .u8(1)
  .compact(1)
  .raw(new TextEncoder().encode('timstap0'))
  .vecBytes(Uint8Array.of(1));

/** pallet-timestamp's verdict on a block with that timestamp. `timstap0` is the last inherent by name. */
export const checkTimestamp =
  (timestampMs: bigint): Answer =>
  (input) => {
    const clock = new DataView(input.buffer, input.byteOffset + input.length - 8).getBigUint64(0, true);
    return timestampMs > clock + 30_000n ? tooFar.finish() : okay;
  };

/** A runtime that returns these results and supports no other calls. */
export const stubRuntime = (
  apis: Readonly<Record<string, number>>,
  answers: Readonly<Record<string, Uint8Array | Answer>>,
): Runtime => {
  const all: typeof answers = { BlockBuilder_check_inherents: okay, ...answers };
  return {
    apiVersion: (name: string) => ({ BlockBuilder: 6, ...apis })[name] ?? null,
    hasExport: (method: string) => method in all,
    call: (_: unknown, method: string, input: Uint8Array) => {
      const answer = all[method];
      if (answer === undefined) return { ok: false, kind: 'missingExport', trap: method, logs: [] };
      return { ok: true, output: typeof answer === 'function' ? answer(input) : answer, logs: [] };
    },
  } as unknown as Runtime;
};

/** BABE with //Alice as the only authority, and secondary slots without a VRF. */
export const stubConfiguration = (crypto: Crypto): BabeConfiguration => ({
  slotDurationMs: 6000n,
  epochLength: 10n,
  c: [1n, 4n],
  authorities: [{ publicKey: crypto.suriToPair('//Alice', 'sr25519').publicKey, weight: 1n }],
  randomness: new Uint8Array(32),
  allowedSlots: 1,
});

export const encodeConfiguration = (configuration: BabeConfiguration): Uint8Array => {
  const { slotDurationMs, epochLength, c, authorities, randomness, allowedSlots } = configuration;
  const writer = new Writer(256).u64(slotDurationMs).u64(epochLength).u64(c[0]).u64(c[1]);
  return writeAuthorities(writer, authorities).raw(randomness).u8(allowedSlots).finish();
};

const zeros = new Uint8Array(32);

const bareHeader = (number: number, digest: readonly Uint8Array[]): Header => ({
  parentHash: zeros,
  number,
  stateRoot: zeros,
  extrinsicsRoot: zeros,
  digest,
});

/** The same header on another parent, sealed again. */
export const childOf = (crypto: Crypto, parent: Header, header: Header, suri?: string): Header =>
  sealWith(crypto, { ...header, parentHash: crypto.blake2b256(encodeHeader(parent)) }, suri);

/** A header with these items, sealed for the engine by one of the well-known keys. */
export const sealedHeader = (
  crypto: Crypto,
  engine: 'BABE' | 'aura',
  number: number,
  items: readonly Uint8Array[],
  suri = '//Alice',
): Header =>
  sealWith(
    crypto,
    bareHeader(number, [...items, encodeEngineItem('seal', engine, new Uint8Array(64))]),
    suri,
  );

/** A secondary claim without a VRF by the first authority. */
export const secondaryItem = (slot: bigint): Uint8Array =>
  encodeEngineItem(
    'preRuntime',
    'BABE',
    encodePreDigest({ kind: 'secondaryPlain', authority: 0, slot, vrf: null }),
  );

export const auraItem = (slot: bigint): Uint8Array => encodeEngineItem('preRuntime', 'aura', encodeU64(slot));

/** Verifies headers with a test runtime, each on the given parent; `nowMs` is the wall clock. */
export const stubVerifier = (
  { crypto, runtime, nowMs }: { crypto: Crypto; runtime: Runtime; nowMs: number },
  deps: Partial<VerifierDeps> = {},
) => {
  const verifier = createVerifier({
    crypto,
    clock: { now: () => nowMs, followsWall: false },
    view: {
      loadHeader: async () => null,
      readState: async (_, read) => read({ backend: { root: zeros } as Backend, runtime }),
    },
    equivocations: { note: () => undefined },
    isLive: false,
    trustBlocks: false,
    verifyOwnBlocks: false,
    ...deps,
  });
  return (header: Header, parentHeader: Header, changes: Partial<Incoming> = {}) => {
    const block: Block = { header, extrinsics: [] };
    const hash = hashHeader(crypto, header);
    const parent: TreeBlock = {
      hash: bytesToBlockHash(header.parentHash),
      number: parentHeader.number,
      parent: bytesToBlockHash(zeros),
      weight: 0,
      isOwn: false,
    };
    const rest = { origin: 'announced' as const, chainTimeMs: 0, ...changes };
    return verifier.verify({ hash, block, parent, parentHeader, runtime, ...rest });
  };
};

export const genesisHeader = bareHeader(0, []);

/** A runtime with `stubConfiguration`, and what verifies headers with it. */
export const stubBabe = (crypto: Crypto, nowMs: number) => {
  const configuration = stubConfiguration(crypto);
  const runtime = stubRuntime({ BabeApi: 2 }, { BabeApi_configuration: encodeConfiguration(configuration) });
  return { configuration, verify: stubVerifier({ crypto, runtime, nowMs }) };
};
