import type { BlockEvent, DispatchOutcome } from '../../meta/events.ts';

/** A status of a transaction, as the node reported it. */
type StatusStep = { readonly name: string; readonly hash: string | null; readonly atMs: number };

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
  /** Why it could not be signed, or the node rejected it, in a sentence. */
  readonly refused: string | null;
  /** The node's own words of it. */
  readonly raw?: string | undefined;
  /** Why it ended without a block, which the status does not say. */
  readonly why?: string | undefined;
  /** Whether more statuses may follow. */
  readonly open: boolean;
  /**
   * Whether it was in flight when the page or its node ended: it is no longer watched, and has to be searched for.
   */
  readonly lost: boolean;
  readonly block: { readonly hash: string; readonly number: number; readonly index: number } | null;
  readonly events: readonly BlockEvent[];
  readonly outcome: DispatchOutcome | null;
};

/** A status in words: `inBlock` is `In block`. */
export const statusText = (status: string): string =>
  status
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^./, (letter) => letter.toUpperCase());

/** How it ended without a block: refused, or the last status; null if it did not. */
export const endWithoutBlock = ({ refused, open, steps }: SentItem): string | null => {
  if (refused !== null) return 'refused';
  const last = steps.at(-1)?.name ?? '';
  return !open && ['usurped', 'dropped', 'invalid'].includes(last) ? last : null;
};
