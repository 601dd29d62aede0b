import { type ErrorCode, NodeError } from '../../../src/protocol/errors.ts';
import { createBoundedMap } from '../../bytes/bounded-map.ts';
import { bytesToKey } from '../../bytes/bytes.ts';
import type { FinalityView } from '../../chain/finality-gadget.ts';
import type { BlockRef } from '../../chain/tree.ts';
import type { Header } from '../../codec/header.ts';
import { type BlockHash, bytesToBlockHash } from '../../codec/identity.ts';
import { type ApiTarget, targetOf } from '../../executor/runtime-api.ts';
import type { BabeConfiguration, BabeEpoch } from '../../executor/runtime-api-consensus.ts';
import { readConfiguration, readCurrentEpoch, readNextEpoch } from '../settings.ts';
import { headerNextEpoch, headerPreDigest, type NextEpoch } from './codec.ts';

/** Epoch 0 starts with the slot of block 1 (sc-consensus-babe, `Epoch::genesis`). */
export const firstEpoch = (configuration: BabeConfiguration, slot: bigint): BabeEpoch => ({
  ...configuration,
  index: 0n,
  startSlot: slot,
  duration: configuration.epochLength,
});

/**
 * The epoch of a slot that is not before `next`. If epochs were skipped, the announcement for the first one
 * applies.
 */
export const epochFrom = (next: BabeEpoch, slot: bigint): BabeEpoch => {
  const skipped = slot < next.startSlot ? 0n : (slot - next.startSlot) / next.duration;
  return { ...next, index: next.index + skipped, startSlot: next.startSlot + skipped * next.duration };
};

/** The epoch of a block (null for block 0) and the one announced to follow it. */
type EpochsAt = {
  readonly configuration: BabeConfiguration;
  readonly known: { readonly current: BabeEpoch; readonly next: BabeEpoch } | null;
};

const epochOf = ({ configuration, known }: EpochsAt, slot: bigint): BabeEpoch => {
  if (known === null) return firstEpoch(configuration, slot);
  const { current, next } = known;
  return slot < current.startSlot + current.duration ? current : epochFrom(next, slot);
};

/** The epochs after the first block of an epoch, which announces the next one. */
const enter = (before: EpochsAt, current: BabeEpoch, announced: NextEpoch): EpochsAt => {
  const { index, startSlot, duration } = current;
  const { c, allowedSlots } = announced.config ?? current;
  const { authorities, randomness } = announced;
  const next = { authorities, randomness, c, allowedSlots, duration };
  return {
    ...before,
    known: { current, next: { ...next, index: index + 1n, startSlot: startSlot + duration } },
  };
};

/** How many blocks' epochs are remembered. Blocks of one epoch share one record. */
const maxKnown = 1024;

type View = Pick<FinalityView, 'loadHeader' | 'readState'>;

/**
 * Errors of runtime calls whose format was different in the past: without a configuration, or before its
 * migration (2021).
 */
const unlikeToday: readonly ErrorCode[] = ['BadScale', 'RuntimeTrap', 'MissingApi'];

/** Returns null for a runtime with a different result format. May throw MissingNodes. */
const readEpochs = (target: ApiTarget): EpochsAt | null => {
  try {
    const known = { current: readCurrentEpoch(target), next: readNextEpoch(target) };
    return { configuration: readConfiguration(target), known };
  } catch (error) {
    if (error instanceof NodeError && unlikeToday.includes(error.code)) return null;
    throw error;
  }
};

/** A block's hash and state root: an operator may override the state under the hash (decision 6). */
const keyOf = (hash: BlockHash, stateRoot: Uint8Array): string => hash + bytesToKey(stateRoot);

/**
 * The epochs as seen from a block, along its ancestry. Cached by block and state, so that forks do not mix.
 * Otherwise they are read from the block's state or, if its runtime has no such call (2020), from the headers
 * down to a cached block or block 0.
 */
export const createEpochs = (view: View) => {
  const recent = createBoundedMap<string, EpochsAt>(maxKnown);

  const walk = async (block: BlockRef): Promise<EpochsAt> => {
    const firsts: { slot: bigint; announced: NextEpoch }[] = [];
    let known: EpochsAt | undefined;
    let { hash, number } = block;
    for (; number > 0; number--) {
      const header = (await view.loadHeader(hash)) as Header;
      known = recent.get(keyOf(hash, header.stateRoot));
      if (known !== undefined) break;
      const [announced, slot] = [headerNextEpoch(header), headerPreDigest(header)?.slot];
      if (announced !== null && slot !== undefined) firsts.push({ slot, announced });
      hash = bytesToBlockHash(header.parentHash);
    }
    let epochs = known ?? {
      configuration: await view.readState(block.hash, (at) => readConfiguration(targetOf(at))),
      known: null,
    };
    for (const { slot, announced } of firsts.reverse())
      epochs = enter(epochs, epochOf(epochs, slot), announced);
    return epochs;
  };

  const load = async (block: BlockRef): Promise<EpochsAt> => {
    const read = await view.readState(block.hash, (at): EpochsAt | null => {
      const target = targetOf(at);
      return block.number === 0
        ? { configuration: readConfiguration(target), known: null }
        : readEpochs(target);
    });
    return read ?? walk(block);
  };

  return {
    at: async (block: BlockRef): Promise<EpochsAt> => {
      const key = keyOf(block.hash, await view.readState(block.hash, ({ backend }) => backend.root));
      const epochs = recent.get(key) ?? (await load(block));
      recent.keep(key, epochs);
      return epochs;
    },
    of: epochOf,
    /** Adds a verified header in the given epoch, on a block with these epochs. */
    add: (
      block: { readonly hash: BlockHash; readonly header: Header },
      before: EpochsAt,
      epoch: BabeEpoch,
      announced: NextEpoch | null,
    ): void =>
      recent.keep(
        keyOf(block.hash, block.header.stateRoot),
        announced === null ? before : enter(before, epoch, announced),
      ),
  };
};

export type BabeEpochs = ReturnType<typeof createEpochs>;
