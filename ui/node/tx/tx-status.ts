import { groupDigits } from '../../kit/text/format.ts';
import type { Again, SentItem } from './sent-item.ts';
import { searchDepth } from './tx-search.svelte.ts';

/** Statuses that the page adds to those of the node: after a reload, and of a search. */
export const unknown = 'unknown';
export const notIncluded = 'not included';
export const expired = 'expired';

/** Each with a sentence that says why, in `why` or below. */
const endings: readonly string[] = ['usurped', 'dropped', 'invalid', notIncluded, expired];

const ways: Readonly<Record<Again, string>> = {
  next: 'Send again.',
  nonce: 'Use the next nonce, or raise the tip.',
  bytes: 'Sign it again with the next nonce.',
};

type Sender = Pick<SentItem, 'by' | 'again'>;

const nameOf = ({ by }: Sender): string =>
  by === 'unknown signer' ? 'the signer' : by.replace(/, mock signature$/, '');

/** Another transaction has taken the nonce of this one. */
const usedNonce = (item: Sender, how: string): string =>
  `Another transaction of ${nameOf(item)} with this nonce ${how}. ${ways[item.again ?? 'next']}`;

/** What to do about a validity error of the runtime (`InvalidTransaction`), by its variant. */
const remedies: Readonly<Record<string, (item: Sender) => string>> = {
  Stale: (item) => usedNonce(item, 'came first'),
  Payment: (item) =>
    `The balance of ${nameOf(item)} does not cover the fee. Fund the account, and send again.`,
  AncientBirthBlock: ({ again }) =>
    `It expired before a block included it. ${again === 'bytes' ? 'Sign it again.' : 'Send again.'}`,
};

/** Why the runtime no longer accepts a transaction, as `decodeValidity` names it, and what to do. */
export const invalidText = (item: Sender, validity: string): string =>
  remedies[validity.split(':')[0] ?? '']?.(item) ?? validity;

/** What the node's refusal of a submission means for its sender; null for the node's usual explanation. */
export const refusalOf = (item: Sender, fault: unknown): string | null => {
  const { code, data } = (fault ?? {}) as { readonly code?: unknown; readonly data?: unknown };
  const isStale = code === 1010 && data === 'Transaction is outdated';
  return code === 1014 || isStale ? usedNonce(item, 'came first') : null;
};

/** The pool already has the very same transaction (sc-rpc-api, `author::error`). */
export const isAlreadyInPool = (fault: unknown): boolean =>
  (fault as { readonly code?: unknown } | null)?.code === 1013;

/** Why a transaction leaves the pool with this status; undefined if the status says it. */
export const reasonOf = (item: Sender, status: string): string | undefined => {
  if (status === 'usurped') return usedNonce(item, 'replaced it');
  return status === 'dropped'
    ? 'The pool had no room for it. Send it again after the next block.'
    : undefined;
};

/** A status in words: `inBlock` is `In block`. */
export const statusText = (status: string): string =>
  status
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^./, (letter) => letter.toUpperCase());

/** How a transaction ended without a block: the name of its end, and why with what to do. */
export type TxEnd = { readonly name: string; readonly text: string };

/** The end of one that a search did not find. It may still turn up. */
export const notIncludedEnd: TxEnd = {
  name: notIncluded,
  text: `It is neither in the pool nor in a recent block (up to ${groupDigits(searchDepth)} searched). Send it again.`,
};

/** Null unless it ended without a block, as far as the page knows. */
export const endOf = (item: SentItem): TxEnd | null => {
  const { refused, hash, open, steps, why, era } = item;
  if (refused !== null) return { name: hash === '' ? 'not sent' : 'refused', text: refused };
  const name = steps.at(-1)?.name ?? '';
  if (!endings.includes(name) || (open && name !== notIncluded)) return null;
  if (name === notIncluded) return notIncludedEnd;
  const last = era === undefined ? '' : ` It could be included up to block #${groupDigits(era.until)}.`;
  return { name, text: name === expired ? `No block included it.${last} Send again.` : (why ?? '') };
};

/** The current status of a transaction in one or two words: `In block`, `Refused`, `Checking…`. */
export const statusOf = (item: SentItem): string => {
  const end = endOf(item);
  const name = item.steps.at(-1)?.name;
  if (end !== null) return statusText(end.name);
  if (item.outcome?.kind === 'failed') return 'Failed';
  return statusText(name === unknown ? 'checking…' : (name ?? (item.hash === '' ? 'signing' : 'sending')));
};
