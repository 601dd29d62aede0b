import type { Reader } from '../bytes/reader.ts';
import type { Writer } from '../bytes/writer.ts';
import { type BlockHash, blockHashToBytes, bytesToBlockHash } from './identity.ts';

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
