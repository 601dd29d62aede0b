import { bytesToHex, hexToBytes } from '../bytes/hex.ts';
import type { Reader } from '../bytes/reader.ts';
import type { Writer } from '../bytes/writer.ts';

/** Lower-case `0x` hex of a block's 32-byte hash; the only text form of a block inside the node. */
export type BlockHash = string & { readonly __brand: 'BlockHash' };
/** Lower-case `0x` hex of an extrinsic's 32-byte hash. */
export type ExtrinsicHash = string & { readonly __brand: 'ExtrinsicHash' };

export const bytesToBlockHash = (bytes: Uint8Array): BlockHash => bytesToHex(bytes) as string as BlockHash;
export const blockHashToBytes = (hash: BlockHash): Uint8Array => hexToBytes(hash);
export const bytesToExtrinsicHash = (bytes: Uint8Array): ExtrinsicHash =>
  bytesToHex(bytes) as string as ExtrinsicHash;
export const extrinsicHashToBytes = (hash: ExtrinsicHash): Uint8Array => hexToBytes(hash);

/**
 * A block reference as stored in records and in the SDK's authority sets: its hash, then its number as u32.
 */
export type NamedBlock = { readonly hash: BlockHash; readonly number: number };

export const writeRef = (writer: Writer, { hash, number }: NamedBlock): Writer =>
  writer.raw(blockHashToBytes(hash)).u32(number);

export const readRef = (reader: Reader): NamedBlock => ({
  hash: bytesToBlockHash(reader.take(32)),
  number: reader.u32(),
});
