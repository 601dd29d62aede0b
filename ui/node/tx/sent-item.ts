import type { Era } from '../../../src/scale/era.ts';
import type { BlockEvent, DispatchOutcome } from '../../../src/scale/events.ts';

/** A status of a transaction, as the node reported it. */
type StatusStep = { readonly name: string; readonly hash: string | null; readonly atMs: number };

/**
 * How the same transaction can be sent again when its nonce is used: by sending it again with the next nonce
 * (`next`), by choosing another nonce (`nonce`), or by signing it again (`bytes`).
 */
export type Again = 'next' | 'nonce' | 'bytes';

/** A transaction sent from this page, with its status. */
export type SentItem = {
  readonly id: string;
  /** Empty until it is signed; nothing was sent before that. */
  readonly hash: string;
  /** Null until it is signed, and if it was too long to be stored across a reload. */
  readonly hex: string | null;
  /** `Balances.transfer_keep_alive`. */
  readonly label: string;
  /** Its arguments in one line; empty if unknown. */
  readonly args: string;
  /** The same with exact amounts. */
  readonly exact?: string | undefined;
  /** The signer's name or short address. */
  readonly by: string;
  readonly atMs: number;
  readonly steps: readonly StatusStep[];
  /** Why it could not be signed, or the node rejected it, and what to do. */
  readonly refused: string | null;
  /** The node's own words of it. */
  readonly raw?: string | undefined;
  /** Why it ended without a block, which the status does not say, and what to do. */
  readonly why?: string | undefined;
  /** Absent if it is immortal, or if nobody knows. */
  readonly era?: Era | undefined;
  readonly again?: Again | undefined;
  /** Whether it is the transfer of the first steps. */
  readonly isFirst?: boolean | undefined;
  /** Whether more statuses may follow. */
  readonly open: boolean;
  /**
   * Whether it was in flight when the page or its node ended: it is no longer watched, and has to be searched for.
   */
  readonly lost: boolean;
  readonly block: {
    readonly hash: string;
    readonly number: number;
    readonly index: number;
    /** False on a fork. */
    readonly best?: boolean | undefined;
  } | null;
  /** Number of the last block of the best chain that contained it and then left that chain. */
  readonly leftNumber?: number | undefined;
  readonly events: readonly BlockEvent[];
  readonly outcome: DispatchOutcome | null;
};

/** The state of a transaction without a status so far. */
export const noNews = {
  refused: null,
  open: true,
  lost: false,
  block: null,
  events: [],
  outcome: null,
} as const satisfies Partial<SentItem>;
