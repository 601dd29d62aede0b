import { decodeWhole, Reader } from '../bytes/reader.ts';
import { Writer } from '../bytes/writer.ts';
import { type Header, writeHeader } from './header.ts';

/** A block. Each extrinsic includes its compact length prefix. */
export type Block = { readonly header: Header; readonly extrinsics: readonly Uint8Array[] };

const sizeOf = (extrinsics: readonly Uint8Array[]): number =>
  extrinsics.reduce((sum, { length }) => sum + length, 0);

/** Appends the number of extrinsics and the extrinsics, in a buffer of exactly the required size. */
const finishWith = (before: Writer, extrinsics: readonly Uint8Array[]): Uint8Array => {
  const start = before.compact(extrinsics.length).finish();
  const writer = new Writer(start.length + sizeOf(extrinsics)).raw(start);
  for (const extrinsic of extrinsics) writer.raw(extrinsic);
  return writer.finish();
};

export const encodeBlock = ({ header, extrinsics }: Block): Uint8Array =>
  finishWith(writeHeader(new Writer(512), header), extrinsics);

/** Length of the encoded block, in bytes. */
export const blockLength = ({ header, extrinsics }: Block): number =>
  writeHeader(new Writer(512), header).compact(extrinsics.length).length + sizeOf(extrinsics);

export const encodeBody = (extrinsics: readonly Uint8Array[]): Uint8Array =>
  finishWith(new Writer(5), extrinsics);

/** A copy of one complete extrinsic, with its length prefix. */
export const readExtrinsic = (reader: Reader): Uint8Array => {
  const start = reader.offset;
  reader.skip(reader.compact());
  return reader.bytes.slice(start, reader.offset);
};

/** Throws `BadScale` unless the bytes are exactly one complete extrinsic. */
export const decodeExtrinsic = (bytes: Uint8Array): Uint8Array => decodeWhole(bytes, readExtrinsic);

export const decodeBody = (bytes: Uint8Array): Uint8Array[] => new Reader(bytes).vec(readExtrinsic);
