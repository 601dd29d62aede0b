import type { HeaderJson } from '../../../node/chain-view.svelte.ts';
import { claimOf } from '../../../node/consensus/read-digest.ts';

/** Kind of a notification, derived from its shape. */
export type SubscriptionView =
  | {
      readonly kind: 'header';
      readonly number: number;
      readonly slot: number | null;
      readonly authority: number | null;
    }
  | {
      readonly kind: 'storage';
      readonly block: string;
      readonly changes: readonly (readonly [key: string, value: string | null])[];
    }
  | {
      readonly kind: 'status';
      readonly word: string;
      readonly block: string | null;
      /** Whether it is in a block, where its outcome can be read. */
      readonly isIncluded: boolean;
    }
  | { readonly kind: 'version'; readonly name: string; readonly version: number }
  | { readonly kind: 'json' };

type Fields = Readonly<Record<string, unknown>>;

const isHeader = (value: Fields): boolean =>
  typeof value['parentHash'] === 'string' &&
  typeof value['number'] === 'string' &&
  Array.isArray((value['digest'] as Fields | null)?.['logs']);

/** Classifies a notification by its shape; anything unknown is plain JSON. */
export const readFace = (method: string, value: unknown): SubscriptionView => {
  if (method === 'author_submitAndWatchExtrinsic') return readStatus(value);
  if (typeof value !== 'object' || value === null) return { kind: 'json' };
  const fields = value as Fields;
  if (method === 'transactionWatch_v1_submitAndWatch')
    return status(String(fields['event']), (fields['block'] as Fields | null | undefined)?.['hash']);
  if (isHeader(fields)) {
    const { number, digest } = value as HeaderJson;
    const claim = claimOf(digest.logs);
    return {
      kind: 'header',
      number: Number(number),
      slot: claim?.slot ?? null,
      authority: claim?.authority ?? null,
    };
  }
  if (typeof fields['block'] === 'string' && Array.isArray(fields['changes']))
    return {
      kind: 'storage',
      block: fields['block'],
      changes: fields['changes'] as [string, string | null][],
    };
  if (typeof fields['specName'] === 'string')
    return { kind: 'version', name: fields['specName'], version: Number(fields['specVersion']) };
  return { kind: 'json' };
};

/** Statuses of both watch methods that mean the transaction is in a block. */
const included: readonly string[] = ['inBlock', 'finalized', 'bestChainBlockIncluded'];

const status = (word: string, block: unknown): SubscriptionView => {
  const hash = typeof block === 'string' ? block : null;
  return { kind: 'status', word, block: hash, isIncluded: hash !== null && included.includes(word) };
};

const readStatus = (value: unknown): SubscriptionView => {
  if (typeof value === 'string') return status(value, null);
  const [word, of] = Object.entries((value ?? {}) as Fields)[0] ?? ['unknown', null];
  return status(word, word === 'usurped' ? null : of);
};
