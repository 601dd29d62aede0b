import type { Header } from '../codec/header.ts';
import type { Inherent } from '../codec/inherent-data.ts';
import type { Runtime } from '../executor/executor.ts';
import type { Backend } from '../state/backend.ts';
import type { Pace } from '../tasks/pace.ts';

/** The right to author one block, with the block contents that follow from it. */
export type Claim = {
  /** The pre-runtime digest items. */
  readonly digest: readonly Uint8Array[];
  /** Chain time of the block in ms since 1970. */
  readonly timestampMs: bigint;
  readonly inherents: readonly Inherent[];
  /** The seal item for the hash of the unsealed header; null if the engine has no seals. */
  seal(preSealHash: Uint8Array): Uint8Array | null;
};

export type ClaimInput = {
  readonly parentHash: Uint8Array;
  readonly parentHeader: Header;
  readonly backend: Backend;
  readonly runtime: Runtime;
  /**
   * `next`: the next slot that a key may claim, starting at the parent's; `wall`: the wall clock's slot, or
   * none.
   */
  readonly slot: 'next' | 'wall';
  /** The block will be dropped, so its slot remains available. */
  readonly isTrial?: boolean;
};

/**
 * How a search for a claim reads and yields: `run` repeats a synchronous read of the state after loading missing
 * nodes.
 */
export type ClaimWork = {
  readonly run: <T>(read: () => T) => Promise<T>;
  readonly pace: Pick<Pace, 'pause'>;
};

/** The first slot, starting at `slot`, that does not begin before `floorMs`. */
export const laterSlot = (slot: bigint, floorMs: number, slotMs: bigint): bigint => {
  const floor = (BigInt(Math.ceil(floorMs)) + slotMs - 1n) / slotMs;
  return floor > slot ? floor : slot;
};

/** What the author needs from a consensus engine. Declared here, implemented by worker/consensus. */
export type SlotEngine = {
  readonly name: 'babe' | 'aura' | 'none';
  /** Length of a slot in ms; null without slots. May throw MissingNodes. */
  slotMs(input: Pick<ClaimInput, 'backend' | 'runtime'>): number | null;
  /**
   * Null if no key in the keystore may author. A key among many may win none of the next thousands of slots, so
   * the search yields.
   */
  claim(input: ClaimInput, work: ClaimWork): Promise<Claim | null>;
};
