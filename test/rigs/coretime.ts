import { encodeCall } from '../../src/scale/extrinsic.ts';
import { createRuntimeMeta } from '../../src/scale/runtime.ts';
import type { Json } from '../../src/scale/types.ts';
import { proposeBlock } from '../../worker/author/proposer.ts';
import { concatBytes, textToBytes } from '../../worker/bytes/bytes.ts';
import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import { Writer } from '../../worker/bytes/writer.ts';
import { parseChainSpec } from '../../worker/chain/genesis/parse-spec.ts';
import type { Block } from '../../worker/codec/block.ts';
import { encodeEngineItem } from '../../worker/codec/digest.ts';
import { encodeHeader, type Header } from '../../worker/codec/header.ts';
import { type BlockHash, blockHashToBytes } from '../../worker/codec/identity.ts';
import { type Crypto, loadCrypto } from '../../worker/crypto/crypto.ts';
import { ss58Encode } from '../../worker/crypto/ss58.ts';
import type { Database } from '../../worker/db/database.ts';
import { signTransaction } from '../../worker/dev/transaction.ts';
import { accountNonce, metadata, targetOf } from '../../worker/executor/runtime-api.ts';
import { createSignatureCache } from '../../worker/executor/signature-cache.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { type Backend, createEmptyBackend } from '../../worker/state/backend.ts';
import type { Overlay } from '../../worker/state/overlay.ts';
import { hash } from '../../worker/state/proof-model.fixture.ts';
import { startPace } from '../../worker/tasks/pace.ts';
import { loadFixture, loadFixtureText } from './fixtures.ts';
import { createTestPlatform, testConfig } from './platform.ts';

/**
 * A parachain with storage weight reclaim, the coretime chain of Westend (spec 1_025_002, SDK 2609), on
 * proofs of a relay chain's state: that of a Kusama genesis, with a slot and the parachain's head. A slot of
 * the parachain lasts 24 s.
 */
const paraId = /* @__PURE__ */ new Writer(4).u32(1005).finish();
const relayMs = 6000n;
const slotMs = 24_000n;

/** Enough accounts that a read of another one passes other nodes. */
const others = Array.from({ length: 200 }, (_, index) => hash(Uint8Array.of(index)));

/** Its chain specification. */
export const coretimeSpec = async (): Promise<{ readonly specJson: string }> => {
  const crypto = await loadCrypto();
  const code = bytesToHex(await loadFixture('fork/coretime-westend-1025002.compressed.wasm'));
  const account = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
  const patch = {
    balances: {
      balances: [[account, 10 ** 18], ...others.map((id) => [ss58Encode(crypto, id, 42), 10 ** 15])],
    },
    collatorSelection: { candidacyBond: 16_000_000_000, invulnerables: [account] },
    parachainInfo: { parachainId: 1005 },
    polkadotXcm: { safeXcmVersion: 5 },
    session: { keys: [[account, account, { aura: account }]] },
    sudo: { key: account },
  };
  const genesis = { runtimeGenesis: { code, patch } };
  const facts = { name: 'Coretime', id: 'coretime', chainType: 'Local', bootNodes: [], properties: {} };
  return { specJson: JSON.stringify({ ...facts, genesis }) };
};

export const coretimePlatform = (db?: Database) =>
  createTestPlatform({ now: () => Date.UTC(2026, 10, 22), ...(db === undefined ? {} : { db }) });

/** A node with that chain, which takes its blocks without seals. */
export const openCoretime = async (db?: Database): Promise<Node> =>
  createNode(
    coretimePlatform(db),
    testConfig(await coretimeSpec(), { trustBlocks: true, finality: { kind: 'manual' } }),
  );

/** The committed state of a relay chain at a slot, with a head of the parachain. */
export const relayState = async (crypto: Crypto) => {
  const { genesis } = parseChainSpec(await loadFixtureText('fork/kusama-local-1000000.json'));
  if (genesis.kind !== 'raw') throw new Error('The specification is not raw');
  const { twox128, twox64, blake2b256 } = crypto;
  const item = (pallet: string, name: string) =>
    concatBytes(twox128(textToBytes(pallet)), twox128(textToBytes(name)));
  const ofPara = (pallet: string, name: string) => concatBytes(item(pallet, name), twox64(paraId), paraId);
  const empty = createEmptyBackend({ blake2b256, source: { getNode: () => null } });
  const { backend } = empty.commit({ main: genesis.top, children: [], offchain: [] }, 1);
  const babe = [
    'EpochIndex',
    'Randomness',
    'NextRandomness',
    'CurrentSlot',
    'Authorities',
    'NextAuthorities',
  ];
  const proven = [
    ...babe.map((name) => item('Babe', name)),
    item('Configuration', 'ActiveConfig'),
    ...['DownwardMessageQueueHeads'].map((name) => ofPara('Dmp', name)),
    ...['HrmpIngressChannelsIndex', 'HrmpEgressChannelsIndex'].map((name) => ofPara('Hrmp', name)),
    ...['UpgradeGoAheadSignal', 'UpgradeRestrictionSignal', 'Heads'].map((name) => ofPara('Paras', name)),
    concatBytes(textToBytes(':relay_dispatch_queue_remaining_capacity'), paraId),
    // Where older relay chains have it (polkadot-primitives, `relay_dispatch_queue_size`).
    concatBytes(
      hexToBytes('0xf5207f03cfdce586301014700e2c2593fad157e461d71fd4c1f936839a5f1f3e'),
      twox64(paraId),
      paraId,
    ),
  ];
  return (slot: bigint, head: Header): { root: Uint8Array; proof: Uint8Array[] } => {
    const main = [
      [item('Babe', 'CurrentSlot'), new Writer(8).u64(slot).finish()],
      [ofPara('Paras', 'Heads'), new Writer().vecBytes(encodeHeader(head)).finish()],
    ] as const;
    const next = backend.commit({ main, children: [], offchain: [] }, 1).backend;
    return { root: next.root, proof: next.prove(proven) };
  };
};

/** What `set_validation_data` gets: the persisted validation data, the proof, and no messages. */
const validationData = (
  parent: Header,
  number: number,
  { root, proof }: { root: Uint8Array; proof: Uint8Array[] },
) => {
  const writer = new Writer(4096)
    .vecBytes(encodeHeader(parent))
    .u32(number)
    .raw(root)
    .u32(5 << 20);
  writer.compact(proof.length);
  for (const node of proof) writer.vecBytes(node);
  const old = writer.compact(0).compact(0).finish();
  // Without descendants of the relay block, and without the collator's peer id.
  return { old, new: new Writer(4096).raw(old).compact(0).u8(0).finish() };
};

/** `CoreInfo` and `BlockBundleInfo` as pre-runtime digest items. */
export const bundleDigest = (index: number, isLast = false): Uint8Array[] => [
  encodeEngineItem('preRuntime', 'CMLS', Uint8Array.of(1, 0, 0, 1 << 2)),
  encodeEngineItem('preRuntime', 'CMLS', Uint8Array.of(2, index, isLast ? 1 : 0)),
];

export type CoretimeBlock = {
  readonly parent: BlockHash;
  /** The head that the relay chain knows. */
  readonly included: Header;
  readonly relay: Awaited<ReturnType<typeof relayState>>;
  /** Slots of 24 s after the first one. */
  readonly slot: number;
  readonly digest?: readonly Uint8Array[];
  /** Counts what earlier blocks of the bundle have read, which is wrong. */
  readonly isAlone?: boolean;
  readonly extrinsics?: readonly Uint8Array[];
  /** Wraps the overlay in which the block is built. */
  readonly observe?: (overlay: Overlay, backend: Backend) => Overlay;
};

/** Builds an unsealed block, by the steps of the author. */
export const buildCoretime = async ({ parts }: Node, wanted: CoretimeBlock): Promise<Block> => {
  const { chain, crypto } = parts;
  const header = (await chain.loadHeader(wanted.parent)) as Header;
  const runtime = await chain.runtimeAt(wanted.parent, 'onchain');
  const backend = await chain.withState(wanted.parent, (state) => state);
  const slot = BigInt(Date.UTC(2026, 10, 22)) / slotMs + BigInt(wanted.slot);
  const proof = wanted.relay((slot * slotMs) / relayMs, wanted.included);
  const data = validationData(header, 1 + wanted.slot, proof);
  const digest = [
    encodeEngineItem('preRuntime', 'aura', new Writer(8).u64(slot).finish()),
    ...(wanted.digest ?? []),
  ];
  const parentHash = blockHashToBytes(wanted.parent);
  // The runtime writes it into the digest when it applies the inherent.
  const relayBlock = new Writer(36)
    .raw(proof.root)
    .compact(1 + wanted.slot)
    .finish();
  const place = [...digest, encodeEngineItem('consensus', 'RPSR', relayBlock)];
  const { openOverlay } = await chain.record(runtime, {
    parentHash,
    digest: wanted.isAlone === true ? digest : place,
  });
  const { observe = (overlay: Overlay) => overlay } = wanted;
  const candidates = (wanted.extrinsics ?? []).map((extrinsic) => ({ extrinsic }));
  const { block, included } = await proposeBlock(
    {
      run: chain.run,
      pace: startPace(),
      crypto,
      signatures: createSignatureCache(),
      executor: parts.executor,
      fuel: 'import',
    },
    { hash: parentHash, header, runtime, openOverlay: () => observe(openOverlay(), backend) },
    {
      digest,
      timestampMs: slot * slotMs,
      inherents: [
        ['sysi1337', data.old],
        ['sysi1338', data.new],
      ],
      seal: () => null,
    },
    Object.assign(candidates, { skipDependents: () => undefined }),
  );
  if (included.length !== candidates.length) throw new Error('An extrinsic was refused');
  return block;
};

/** Calls signed by Alice, with the nonces that follow those of a block's state. */
export const signCalls = async (
  { parts: { chain, crypto } }: Node,
  at: BlockHash,
  calls: readonly (readonly [pallet: string, name: string, args: Json])[],
): Promise<Uint8Array[]> => {
  const runtime = await chain.runtimeAt(at);
  const pair = crypto.suriToPair('//Alice', 'sr25519');
  return chain.withState(at, (backend) => {
    const target = targetOf({ backend, runtime }, { fuel: 'genesis' });
    const meta = createRuntimeMeta(metadata(target));
    const first = accountNonce(target, pair.publicKey);
    const genesis = blockHashToBytes(chain.genesisHash);
    return calls.map(([pallet, name, args], index) =>
      signTransaction(crypto, meta, encodeCall(meta, pallet, name, args), pair, {
        nonce: first + index,
        genesis,
        version: runtime.version,
      }),
    );
  });
};
