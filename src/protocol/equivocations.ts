/**
 * What the node's status says of authors who sealed two blocks in a slot. The evidence itself is in the
 * database.
 */
export type EquivocationStatus = {
  /** Of the last 64. */
  readonly count: number;
  /** The last one that was found. Bytes are hex with `0x`, the slot is a decimal number. */
  readonly last: {
    readonly engine: 'babe' | 'aura';
    readonly slot: string;
    readonly offender: string;
    readonly blocks: readonly [first: string, second: string];
  } | null;
};
