import { NodeError } from '../../src/protocol/errors.ts';
import { concatBytes, textToBytes } from '../bytes/bytes.ts';
import { Reader } from '../bytes/reader.ts';
import { Writer } from '../bytes/writer.ts';
import { codeKey, pendingCodeKey } from '../chain/genesis/genesis.ts';
import type { TrieStore } from '../chain/states/trie-store.ts';
import type { Crypto } from '../crypto/crypto.ts';
import { type Backend, createBackend } from '../state/backend.ts';

/**
 * Items that claiming a slot and opening a block read on every chain that has the pallet (pallet-babe, pallet-aura,
 * frame-system, pallet-timestamp). That a chain lacks one is proven as well.
 */
const items: Readonly<Record<string, readonly string[]>> = {
  System: [
    'Number ParentHash Digest BlockWeight AllExtrinsicsLen ExtrinsicCount EventCount ExecutionPhase',
    'LastRuntimeUpgrade InherentsApplied AuthorizedUpgrade UpgradedToU32RefCount UpgradedToTripleRefCount',
  ],
  Timestamp: ['Now DidUpdate'],
  Babe: [
    'EpochIndex EpochStart GenesisSlot CurrentSlot Randomness NextRandomness Authorities NextAuthorities EpochConfig',
    'NextEpochConfig PendingEpochConfigChange Initialized AuthorVrfRandomness Lateness SegmentIndex SkippedEpochs',
  ],
  Aura: ['Authorities CurrentSlot'],
  Session: ['CurrentIndex Validators DisabledValidators QueuedChanged'],
  Grandpa: ['State PendingChange CurrentSetId Authorities Stalled NextForced'],
  Authorship: ['Author'],
};

/** No key of any chain: its proof has the nodes on the way to `:code`, without the value where that is stored by its hash. */
const besideCode = /* @__PURE__ */ textToBytes(':codf');

const heapPagesKey = /* @__PURE__ */ textToBytes(':heappages');

type Deps = {
  readonly crypto: Pick<Crypto, 'twox64' | 'twox128' | 'blake2b256'>;
  readonly store: TrieStore;
};

/** Of 256 values each. An epoch of a relay chain has up to ten. */
const mostSegments = 32;

/**
 * Only some blocks of BABE have a random value, which `Babe.UnderConstruction` collects in numbered segments; the first block
 * of an epoch takes all of them. They change so often that nodes without old states have lost them soon after the base.
 */
const readSegments = async ({ crypto, store }: Deps, backend: Backend): Promise<void> => {
  const named = (name: string): Uint8Array => crypto.twox128(textToBytes(name));
  const item = (name: string): Uint8Array => concatBytes(named('Babe'), named(name));
  const index = await store.run(() => backend.get(item('SegmentIndex')));
  // A chain without the pallet, or with another form of this value.
  if (index?.length !== 4) return;
  const count = Math.min(new Reader(index).u32() + 2, mostSegments);
  const reads = Array.from({ length: count }, (_, segment) => {
    const own = new Writer(4).u32(segment).finish();
    const key = concatBytes(item('UnderConstruction'), crypto.twox64(own), own);
    return () => backend.get(key);
  });
  await store.run(
    () => {
      for (const read of reads) read();
    },
    () => reads,
  );
};

/**
 * Reads in one round what the first block of a fork needs before it is known what else it needs: the runtime's code, and
 * what was learned from earlier forks, or common items. A chain that cannot be read now is reported by what needs the value.
 */
export const warmUp = async (
  { crypto, store }: Deps,
  stateRoot: Uint8Array,
  learned: readonly Uint8Array[],
): Promise<void> => {
  const backend = createBackend({ blake2b256: crypto.blake2b256, source: store }, stateRoot);
  const named = (name: string): Uint8Array => crypto.twox128(textToBytes(name));
  const common = Object.entries(items).flatMap(([pallet, lines]) =>
    lines.flatMap((line) => line.split(' ')).map((item) => concatBytes(named(pallet), named(item))),
  );
  const keys = learned.length > 0 ? learned : common;
  const reads = [
    // The proof of a key has its whole value. What was learned is of a chain whose code is probably known.
    () => (learned.length > 0 ? backend.get(besideCode) : backend.valueHash(codeKey)),
    () => backend.valueHash(pendingCodeKey),
    () => backend.get(heapPagesKey),
    ...keys.map((key) => () => backend.get(key)),
  ];
  const readAll = (): void => {
    for (const read of reads) read();
  };
  const done = await Promise.allSettled([
    store.run(readAll, () => reads).finally(() => readSegments({ crypto, store }, backend)),
    // Large, so in a request of its own.
    store.run(() => backend.get(codeKey)),
  ]);
  for (const one of done)
    if (one.status === 'rejected' && !(one.reason instanceof NodeError)) throw one.reason;
};
