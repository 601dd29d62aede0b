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
