import { digitsToBytes } from '../../src/protocol/hex.ts';
import { compareBytes, startsWithBytes } from '../bytes/bytes.ts';
import { decodeHeader, encodeHeader } from '../codec/header.ts';
import { bad, good, type Outcome } from './problem.ts';

/** Readers of what endpoints return. Whatever it is, they end with an outcome. */

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null ? (value as Members) : {};

/** Null unless it is `0x` with whole bytes. */
const toBytes = (value: unknown): Uint8Array | null =>
  typeof value === 'string' && value.length % 2 === 0 && value.startsWith('0x')
    ? digitsToBytes(value, 2)
    : null;

const toHash = (value: unknown): Uint8Array | null => {
  const bytes = toBytes(value);
  return bytes?.length === 32 ? bytes : null;
};

/** Null if one of them is not hexadecimal, or there are more than `most`. */
const toList = (value: unknown, most: number): Uint8Array[] | null => {
  if (!Array.isArray(value) || value.length > most) return null;
  const list: Uint8Array[] = [];
  for (const one of value as unknown[]) {
    const bytes = toBytes(one);
    if (bytes === null) return null;
    list.push(bytes);
  }
  return list;
};

/** A block hash; null, which some nodes put into a list, is none. */
export const readHash = (value: unknown): Outcome<Uint8Array | null> => {
  const given = Array.isArray(value) && value.length === 1 ? (value as unknown[])[0] : value;
  if (given === null) return good(null);
  const hash = toHash(given);
  return hash === null ? bad('failed', 'sent a block hash that is none') : good(hash);
};

/** The largest block number of a header of this node (u32). */
const maxNumber = 0xffff_ffff;
const maxDigestItems = 10_000;

const toNumber = (value: unknown): number | null => {
  const number = typeof value === 'string' && /^0x[0-9a-fA-F]{1,16}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) && (number as number) >= 0 && (number as number) <= maxNumber
    ? (number as number)
    : null;
};

/** A header from its JSON form, encoded; null: it has another form, or its digest does not decode. */
const toHeader = (value: unknown): Uint8Array | null => {
  const { parentHash, number, stateRoot, extrinsicsRoot, digest } = membersOf(value);
  const [parent, state, extrinsics] = [toHash(parentHash), toHash(stateRoot), toHash(extrinsicsRoot)];
  const height = toNumber(number);
  const items = toList(membersOf(digest)['logs'], maxDigestItems);
  if (parent === null || state === null || extrinsics === null || height === null || items === null)
    return null;
  const roots = { parentHash: parent, stateRoot: state, extrinsicsRoot: extrinsics };
  const encoded = encodeHeader({ ...roots, number: height, digest: items });
  try {
    decodeHeader(encoded);
    return encoded;
  } catch {
    return null;
  }
};

/** An encoded header; null: unknown block. */
export const readHeader = (value: unknown): Outcome<Uint8Array | null> => {
  if (value === null) return good(null);
  const header = toHeader(value);
  return header === null ? bad('failed', 'sent a header in another form') : good(header);
};

export type SentBlock = { readonly header: Uint8Array; readonly extrinsics: Uint8Array[] };

const maxExtrinsics = 500_000;

/** A block of `chain_getBlock`; null: unknown block. */
export const readBlock = (value: unknown): Outcome<SentBlock | null> => {
  if (value === null) return good(null);
  const block = membersOf(membersOf(value)['block']);
  const header = toHeader(block['header']);
  const extrinsics = toList(block['extrinsics'], maxExtrinsics);
  return header === null || extrinsics === null
    ? bad('failed', 'sent a block in another form')
    : good({ header, extrinsics });
};

const maxProofNodes = 1_000_000;

/** The nodes of a read proof. */
export const readProof = (value: unknown): Outcome<Uint8Array[]> => {
  const proof = toList(membersOf(value)['proof'], maxProofNodes);
  return proof === null ? bad('failed', 'sent a proof in another form') : good(proof);
};

export type KeyRange = {
  readonly prefix: Uint8Array;
  readonly start: Uint8Array | null;
  readonly count: number;
};

/** A page of keys. They must have the prefix, follow each other and the start, and be no more than requested. */
export const readKeys = (value: unknown, { prefix, start, count }: KeyRange): Outcome<Uint8Array[]> => {
  if (Array.isArray(value) && value.length > count) return bad('lied', 'sent more keys than requested');
  const keys = toList(value, count);
  if (keys === null) return bad('failed', 'sent keys in another form');
  let before = start;
  for (const key of keys) {
    if (!startsWithBytes(key, prefix)) return bad('lied', 'sent keys without the prefix');
    if (before !== null && compareBytes(key, before) <= 0) return bad('lied', 'sent keys out of order');
    before = key;
  }
  return good(keys);
};

/** A key of `archive_v1_storageDiff`; null: the item is none. */
export const readChangedKey = (item: unknown): Uint8Array | null =>
  membersOf(item)['event'] === 'storageDiff' ? toBytes(membersOf(item)['key']) : null;

export const eventOf = (item: unknown): unknown => membersOf(item)['event'];

const longestName = 100;
/** Control characters, and those that change how the text around them is shown. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** A name as a page or a terminal may show it; null: it is none. */
export const readName = (value: unknown): string | null => {
  // `system_chainType` returns an object for a custom type.
  const text = typeof value === 'object' ? Object.values(membersOf(value))[0] : value;
  const name = typeof text === 'string' ? text.slice(0, longestName).replaceAll(unprintable, '') : '';
  return name === '' ? null : name;
};

/** Those of all known chains take less than 1 kB. */
const longestProperties = 16_384;
/** Lists of names and decimals, and objects of them. */
const deepest = 4;

/** The characters that a value takes as JSON, or a bit more; infinite if it is too deep. */
const sizeOf = (value: unknown, depth: number): number => {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 24;
  if (depth === 0) return Number.POSITIVE_INFINITY;
  let size = 2;
  for (const [name, member] of Object.entries(value)) {
    size += name.length + 4 + sizeOf(member, depth - 1);
    if (size > longestProperties) break;
  }
  return size;
};

/** The properties of a chain; none if they are unreasonably many, long or deep. */
export const readProperties = (value: unknown): Members => {
  const members = Array.isArray(value) ? {} : membersOf(value);
  return sizeOf(members, deepest) > longestProperties ? {} : members;
};
