/**
 * The part of the node's status about authors who sealed two blocks in one slot. The evidence itself is
 * stored in the database.
 */
export type EquivocationStatus = {
  /** At most 64 are kept. */
  readonly count: number;
  /** The last one found. Bytes are hex with `0x`, the slot is a decimal number. */
  readonly last: {
    readonly engine: 'babe' | 'aura';
    readonly slot: string;
    readonly offender: string;
    readonly blocks: readonly [first: string, second: string];
  } | null;
};
