import type { Reader } from '../bytes/reader.ts';
import type { Writer } from '../bytes/writer.ts';
import { type BlockHash, blockHashToBytes, bytesToBlockHash } from './identity.ts';

/** A block as records and the SDK's authority sets name it: its hash, then its number as u32. */
export type NamedBlock = { readonly hash: BlockHash; readonly number: number };

export const writeRef = (writer: Writer, { hash, number }: NamedBlock): Writer =>
  writer.raw(blockHashToBytes(hash)).u32(number);

export const readRef = (reader: Reader): NamedBlock => ({
  hash: bytesToBlockHash(reader.take(32)),
  number: reader.u32(),
});
