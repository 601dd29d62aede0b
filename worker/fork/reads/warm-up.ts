import { NodeError } from '../../../src/protocol/errors.ts';
import { textToBytes } from '../../bytes/bytes.ts';
import { codeKey, pendingCodeKey } from '../../chain/genesis/genesis.ts';
import type { TrieStore } from '../../chain/states/trie-store.ts';
import type { Crypto } from '../../crypto/crypto.ts';
import { itemPrefix, numberedKey } from '../../crypto/storage-keys.ts';
import { createBackend } from '../../state/backend.ts';
import type { StorageNames } from './key-names.ts';

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

/** The names of what is read before the runtime's metadata is known. */
export const commonNames: StorageNames = /* @__PURE__ */ Object.entries(items).map(([pallet, lines]) => ({
  pallet,
  prefix: pallet,
  items: lines.flatMap((line) => line.split(' ')),
}));

/** No key of any chain: its proof has the nodes on the way to `:code`, without the value where that is stored by its hash. */
const besideCode = /* @__PURE__ */ textToBytes(':codf');

const heapPagesKey = /* @__PURE__ */ textToBytes(':heappages');

type Deps = {
  readonly crypto: Pick<Crypto, 'twox64' | 'twox128' | 'blake2b256'>;
  readonly store: TrieStore;
};

/** Of 256 values each. An epoch of a relay chain, 2,400 slots, has at most ten. */
const segments = 10;

/**
 * Only some blocks of BABE have a random value, which `Babe.UnderConstruction` collects in numbered segments, and the first
 * block of an epoch takes all of them. They change so often that a node that keeps few states has lost them soon.
 */
const segmentKeys = (crypto: Deps['crypto']): Uint8Array[] => {
  const prefix = itemPrefix(crypto, 'Babe', 'UnderConstruction');
  return Array.from({ length: segments }, (_, segment) => numberedKey(crypto, prefix, segment));
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
  const common = commonNames.flatMap((one) => one.items.map((item) => itemPrefix(crypto, one.prefix, item)));
  const keys = learned.length > 0 ? learned : [...common, ...segmentKeys(crypto)];
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
    store.run(readAll, () => reads),
    // Large, so in a request of its own.
    store.run(() => backend.get(codeKey)),
  ]);
  for (const one of done)
    if (one.status === 'rejected' && !(one.reason instanceof NodeError)) throw one.reason;
};
