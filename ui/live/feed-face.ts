import type { HeaderJson } from '../state/chain-view.svelte.ts';

/** What a notification is, told by its form. */
export type FeedFace =
  | {
      readonly kind: 'header';
      readonly number: number;
      readonly slot: string | null;
      readonly authority: number | null;
    }
  | {
      readonly kind: 'storage';
      readonly block: string;
      readonly changes: readonly (readonly [key: string, value: string | null])[];
    }
  | { readonly kind: 'status'; readonly word: string; readonly block: string | null }
  | { readonly kind: 'version'; readonly name: string; readonly version: number }
  | { readonly kind: 'json' };

type Fields = Readonly<Record<string, unknown>>;

const littleEndian = (hex: string): bigint =>
  BigInt(`0x${(hex.match(/../g) ?? []).reverse().join('') || '0'}`);

/**
 * Slot and authority that a header's pre-runtime digest claims: `06`, engine, length, then of BABE a kind, u32 authority and u64
 * slot (sp_consensus_babe::digests::PreDigest), of Aura a u64 slot.
 */
export const readClaim = (logs: readonly string[]): { slot: string | null; authority: number | null } => {
  for (const log of logs) {
    const engine = log.slice(4, 12);
    if (!log.startsWith('0x06')) continue;
    if (engine === '42414245' && log.length >= 14 + 26)
      return {
        authority: Number(littleEndian(log.slice(-logTail(log)).slice(2, 10))),
        slot: littleEndian(log.slice(-logTail(log)).slice(10, 26)).toString(),
      };
    if (engine === '61757261' && log.length >= 14 + 16)
      return { authority: null, slot: littleEndian(log.slice(14, 30)).toString() };
  }
  return { slot: null, authority: null };
};

/** Hex digits after the compact length, which takes one, two or four bytes. */
const logTail = (log: string): number => {
  const mode = Number.parseInt(log.slice(12, 14), 16) & 3;
  return log.length - (mode === 0 ? 14 : mode === 1 ? 16 : 20);
};

const isHeader = (value: Fields): boolean =>
  typeof value['parentHash'] === 'string' &&
  typeof value['number'] === 'string' &&
  Array.isArray((value['digest'] as Fields | null)?.['logs']);

/** Reads the form of a notification; what fits none is plain JSON. */
export const readFace = (method: string, value: unknown): FeedFace => {
  if (method === 'author_submitAndWatchExtrinsic') return readStatus(value);
  if (typeof value !== 'object' || value === null) return { kind: 'json' };
  const fields = value as Fields;
  if (isHeader(fields)) {
    const { number, digest } = value as HeaderJson;
    return { kind: 'header', number: Number(number), ...readClaim(digest.logs) };
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

const readStatus = (value: unknown): FeedFace => {
  if (typeof value === 'string') return { kind: 'status', word: value, block: null };
  const [word, of] = Object.entries((value ?? {}) as Fields)[0] ?? ['unknown', null];
  return { kind: 'status', word, block: typeof of === 'string' && word !== 'usurped' ? of : null };
};
