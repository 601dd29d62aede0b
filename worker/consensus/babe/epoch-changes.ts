import { NodeError } from '../../../src/protocol/errors.ts';
import { Writer } from '../../bytes/writer.ts';
import type { FinalityView } from '../../chain/finality-gadget.ts';
import type { BlockRef, TreeBlock } from '../../chain/tree.ts';
import type { Header } from '../../codec/header.ts';
import { type BlockHash, blockHashToBytes } from '../../codec/identity.ts';
import { targetOf } from '../../executor/runtime-api.ts';
import {
  type BabeEpoch,
  babeConfiguration,
  babeCurrentEpoch,
  writeAuthorities,
} from '../../executor/runtime-api-consensus.ts';
import { buildForkTree, writeForkTree } from '../fork-tree.ts';
import { headerNextEpoch, headerPreDigest } from './codec.ts';

export type EpochSource = Pick<FinalityView, 'loadHeader' | 'readState'> & {
  readonly genesisHash: BlockHash;
  loadHashAt(number: number): Promise<BlockHash | null>;
};

/** The first block of an epoch, which announces the next one. */
type Change = BlockRef & { parent: Change | null };
type Announced = BlockRef & {
  readonly before: Announced | null;
  readonly first: BabeEpoch | null;
  readonly epoch: BabeEpoch;
};
type HashAt = (number: number) => Promise<BlockHash | null>;

const fetchFailed = (where: unknown): NodeError =>
  new NodeError('StorageBroken', `Could not fetch epoch at ${where}`);

const loadSlot = async (
  source: EpochSource,
  hash: BlockHash | null,
): Promise<{ hash: BlockHash; header: Header; slot: bigint }> => {
  const header = hash === null ? null : await source.loadHeader(hash);
  const slot = header === null ? undefined : headerPreDigest(header)?.slot;
  if (hash === null || header === null || slot === undefined) throw fetchFailed(hash);
  return { hash, header, slot };
};

/**
 * The block of a leaf's branch at a height: by parent links above the finalized block, by number below it.
 */
const branchOf = (
  source: EpochSource,
  byHash: ReadonlyMap<BlockHash, TreeBlock>,
  leaf: TreeBlock,
): HashAt => {
  const above = new Map<number, BlockHash>();
  for (let block: TreeBlock | undefined = leaf; block !== undefined; block = byHash.get(block.parent))
    above.set(block.number, block.hash);
  return async (number) => above.get(number) ?? source.loadHashAt(number);
};

type Epochs = { readonly firstSlot: bigint; readonly duration: bigint };

/**
 * The first block of a block's epoch. Slots rise with each block, so it is at most as many blocks below as
 * the epoch is slots old, and exactly there if no slot was missed. That block is checked first, then a binary
 * search follows.
 */
const findFirst = async (
  source: EpochSource,
  hashAt: HashAt,
  { firstSlot, duration }: Epochs,
  number: number,
): Promise<Change> => {
  const slotAt = async (at: number) => (await loadSlot(source, await hashAt(at))).slot;
  const slot = await slotAt(number);
  const age = (slot - firstSlot) % duration;
  let low = Math.max(1, number - Number(age));
  let high = number;
  for (let probe = low; low < high; probe = (low + high) >> 1) {
    if ((await slotAt(probe)) >= slot - age) high = probe;
    else low = probe + 1;
  }
  const { hash } = await loadSlot(source, await hashAt(high));
  return { hash, number: high, parent: null };
};

/** The first blocks of the epochs above the finalized block, of its own, and of the one before. */
const findChanges = async (
  source: EpochSource,
  blocks: readonly TreeBlock[],
  finalized: TreeBlock,
  epochs: Epochs,
): Promise<Change[]> => {
  const found = new Map<BlockHash, Change>();
  const byHash = new Map(blocks.map((block) => [block.hash, block]));
  const parents = new Set(blocks.map(({ hash, parent }) => (hash === finalized.hash ? null : parent)));
  for (const leaf of blocks.filter(({ hash }) => !parents.has(hash))) {
    const hashAt = branchOf(source, byHash, leaf);
    let upper: Change | null = null;
    do {
      const first = await findFirst(source, hashAt, epochs, upper === null ? leaf.number : upper.number - 1);
      const known = found.get(first.hash);
      if (upper !== null) upper.parent = known ?? first;
      if (known !== undefined) break;
      found.set(first.hash, first);
      upper = first;
    } while (upper.number > finalized.number);
  }
  const own = [...found.values()].find(({ number }) => number <= finalized.number);
  if (own !== undefined && own.number > 1) {
    own.parent = await findFirst(source, source.loadHashAt, epochs, own.number - 1);
    found.set(own.parent.hash, own.parent);
  }
  return [...found.values()];
};

/** Each change with the epoch it announces, parents first and in import order. */
const readChanges = async (
  source: EpochSource,
  blocks: readonly TreeBlock[],
  finalized: TreeBlock,
): Promise<Announced[]> => {
  const current = await source.readState(finalized.hash, (at) => babeCurrentEpoch(targetOf(at)));
  const firstSlot = (await loadSlot(source, await source.loadHashAt(1))).slot;
  const { duration } = current;
  const changes = await findChanges(source, blocks, finalized, { firstSlot, duration });
  const order = new Map(blocks.map(({ hash }, index) => [hash, index]));
  const place = ({ hash }: Change): number => order.get(hash) ?? -1;
  changes.sort((a, b) => place(a) - place(b) || a.number - b.number);
  const announced = new Map<BlockHash | undefined, Announced>();
  for (const { hash, number, parent } of changes) {
    const { header, slot } = await loadSlot(source, hash);
    const next = headerNextEpoch(header);
    if (next === null) throw fetchFailed(hash);
    const first =
      number > 1
        ? null
        : await source.readState(source.genesisHash, (at) => ({
            ...babeConfiguration(targetOf(at)),
            ...{ index: 0n, startSlot: slot, duration },
          }));
    const before = announced.get(parent?.hash) ?? null;
    // The root's epoch is the finalized block's, so its settings are available.
    const { c, allowedSlots } = next.config ?? before?.epoch ?? first ?? current;
    const index = (slot - firstSlot) / duration + 1n;
    const epoch = { ...next, index, startSlot: firstSlot + index * duration, duration, c, allowedSlots };
    announced.set(hash, { hash, number, before, first, epoch });
  }
  return [...announced.values()];
};

const writeSpan = (out: Writer, { startSlot, duration }: BabeEpoch): Writer =>
  out.u64(startSlot).u64(startSlot + duration);

const writeEpoch = (out: Writer, epoch: BabeEpoch): Writer => {
  out.u64(epoch.index).u64(epoch.startSlot).u64(epoch.duration);
  writeAuthorities(out, epoch.authorities).raw(epoch.randomness);
  return out.u64(epoch.c[0]).u64(epoch.c[1]).u8(epoch.allowedSlots);
};

/** Block 1 announces epoch 1 and carries epoch 0, which no block announced. */
const writePersisted =
  (write: (out: Writer, epoch: BabeEpoch) => Writer) =>
  (out: Writer, { first, epoch }: Announced): void => {
    out.u8(first === null ? 1 : 0);
    if (first !== null) write(out, first);
    write(out, epoch);
  };

/**
 * SCALE of sc-consensus-epochs `EpochChanges` (decision 10): what a native node with this chain holds after a
 * restart. `blocks` are the finalized block, which is not block 0, and all above it, parents first. The
 * result is not cached: each epoch in it costs about two header reads if no slot was missed, otherwise up to
 * the binary logarithm of an epoch's length. Throws `StorageBroken` if an epoch cannot be determined, and
 * what a runtime call throws.
 */
export const encodeEpochChanges = async (
  source: EpochSource,
  blocks: readonly TreeBlock[],
  finalized: TreeBlock,
): Promise<Uint8Array> => {
  const changes = await readChanges(source, blocks, finalized);
  const roots = buildForkTree(changes, ({ before }) => before);
  const writer = writeForkTree(new Writer(1024), roots, null, writePersisted(writeSpan));
  const writeValue = writePersisted(writeEpoch);
  // A BTreeMap by hash and number.
  changes.sort((a, b) => (a.hash < b.hash ? -1 : 1));
  return writer
    .vec(changes, (out, change) =>
      writeValue(out.raw(blockHashToBytes(change.hash)).u32(change.number), change),
    )
    .finish();
};
