import type { BlockEvent, DispatchOutcome } from '../meta/events.ts';

/** A status of a transaction, as the node reported it. */
export type StatusStep = { readonly name: string; readonly hash: string | null; readonly atMs: number };

/** A transaction sent from this page, and what has become of it. */
export type SentItem = {
  readonly id: string;
  readonly hash: string;
  /** Null where it was too long to be kept over a reload. */
  readonly hex: string | null;
  /** `Balances.transfer_keep_alive`. */
  readonly label: string;
  /** Its arguments in one line; empty where they are unknown. */
  readonly args: string;
  /** The signer's name or short address. */
  readonly by: string;
  readonly atMs: number;
  readonly steps: readonly StatusStep[];
  /** Why the node refused it. */
  readonly refused: string | null;
  /** Whether further statuses may come. */
  readonly open: boolean;
  /** Whether it was on its way when the page was closed: nobody watches it, it is looked for. */
  readonly lost: boolean;
  readonly block: { readonly hash: string; readonly number: number; readonly index: number } | null;
  readonly events: readonly BlockEvent[];
  readonly outcome: DispatchOutcome | null;
};
