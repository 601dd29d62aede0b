import { concatBytes, textToBytes } from '../bytes/bytes.ts';
import { Reader } from '../bytes/reader.ts';
import { Writer } from '../bytes/writer.ts';
import { encodeHeader, type Header, readHeader } from '../codec/header.ts';
import { type BlockHash, blockHashToBytes, bytesToBlockHash, readRef, writeRef } from '../codec/identity.ts';
import type { BlockMeta, BlockRef } from './tree.ts';

/** The top bit of a stored weight marks a block sealed by this node. Older records lack it. */
const ownBit = 0x8000_0000;

const writeBlockMeta = (writer: Writer, { weight, isOwn }: BlockMeta): Writer =>
  writer.u32(isOwn ? weight + ownBit : weight);

const readBlockMeta = (reader: Reader): BlockMeta => {
  const stored = reader.u32();
  const isOwn = stored >= ownBit;
  return { weight: isOwn ? stored - ownBit : stored, isOwn };
};

/** A stored header, preceded by its weight and flags so that fork choice and finality survive reopening. */
export const encodeHeaderRecord = (header: Header, meta: BlockMeta): Uint8Array =>
  writeBlockMeta(new Writer(256), meta).raw(encodeHeader(header)).finish();

export const decodeHeaderRecord = (
  bytes: Uint8Array,
): { readonly header: Header; readonly meta: BlockMeta } => {
  const reader = new Reader(bytes);
  const meta = readBlockMeta(reader);
  return { header: readHeader(reader), meta };
};

/** What a chain needs to resume: its position and its identity. */
export type ChainRecord = {
  readonly genesis: BlockHash;
  /** Hash of the specification the chain was made from. */
  readonly identity: Uint8Array;
  readonly best: BlockRef;
  readonly finalized: BlockRef;
  readonly leaves: readonly BlockHash[];
};

const readHash = (reader: Reader): BlockHash => bytesToBlockHash(reader.take(32));

export const encodeChainRecord = (record: ChainRecord): Uint8Array => {
  const writer = new Writer(256).raw(blockHashToBytes(record.genesis)).raw(record.identity);
  writeRef(writeRef(writer, record.best), record.finalized);
  return writer.vec(record.leaves, (out, hash) => out.raw(blockHashToBytes(hash))).finish();
};

export const decodeChainRecord = (bytes: Uint8Array): ChainRecord => {
  const reader = new Reader(bytes);
  return {
    genesis: readHash(reader),
    identity: reader.take(32).slice(),
    best: readRef(reader),
    finalized: readRef(reader),
    leaves: reader.vec(readHash),
  };
};

/** Block numbers as database keys: big-endian, so that ranges ascend. */
export const numberKey = (number: number): Uint8Array => {
  const key = new Uint8Array(4);
  new DataView(key.buffer).setUint32(0, number);
  return key;
};

const persistentPrefix = /* @__PURE__ */ textToBytes('storage');

/**
 * Key of a PERSISTENT value in the offchain store, written by a worker or by indexing
 * (sp_offchain::STORAGE_PREFIX).
 */
export const persistentKey = (key: Uint8Array): Uint8Array => concatBytes(persistentPrefix, key);

/** The number encoded in such a key. */
export const numberOfKey = (key: Uint8Array): number =>
  new DataView(key.buffer, key.byteOffset, key.length).getUint32(0);

/**
 * The record of a height: the hash of the best chain's block, its weight and its flags, so that reopening
 * needs no headers.
 */
export const encodeNumberRecord = (block: BlockMeta & { readonly hash: BlockHash }): Uint8Array =>
  writeBlockMeta(new Writer(36).raw(blockHashToBytes(block.hash)), block).finish();

/** `standing` is null in records of an older format. */
export const decodeNumberRecord = (
  bytes: Uint8Array,
): { readonly hash: BlockHash; readonly meta: BlockMeta | null } => {
  const reader = new Reader(bytes);
  return { hash: readHash(reader), meta: bytes.length > 32 ? readBlockMeta(reader) : null };
};
