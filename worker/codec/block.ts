import { decodeWhole, Reader } from '../bytes/reader.ts';
import { Writer } from '../bytes/writer.ts';
import { type Header, writeHeader } from './header.ts';

/** A block; each extrinsic is whole, with its own compact length prefix. */
export type Block = { readonly header: Header; readonly extrinsics: readonly Uint8Array[] };

export const encodeBlock = (block: Block): Uint8Array => {
  const writer = writeHeader(new Writer(512), block.header).compact(block.extrinsics.length);
  for (const extrinsic of block.extrinsics) writer.raw(extrinsic);
  return writer.finish();
};

/** Length of the encoded block, in bytes. */
export const blockLength = ({ header, extrinsics }: Block): number =>
  extrinsics.reduce(
    (sum, extrinsic) => sum + extrinsic.length,
    writeHeader(new Writer(512), header).compact(extrinsics.length).finish().length,
  );

/** One whole extrinsic, length prefix included, copied out. */
export const readExtrinsic = (reader: Reader): Uint8Array => {
  const start = reader.offset;
  reader.skip(reader.compact());
  return reader.bytes.slice(start, reader.offset);
};

/** Throws `BadScale` on anything but exactly one whole extrinsic. */
export const decodeExtrinsic = (bytes: Uint8Array): Uint8Array => decodeWhole(bytes, readExtrinsic);

export const encodeBody = (extrinsics: readonly Uint8Array[]): Uint8Array => {
  const sizeBytes = extrinsics.reduce((sum, { length }) => sum + length, 5);
  const writer = new Writer(sizeBytes).compact(extrinsics.length);
  for (const extrinsic of extrinsics) writer.raw(extrinsic);
  return writer.finish();
};

export const decodeBody = (bytes: Uint8Array): Uint8Array[] => new Reader(bytes).vec(readExtrinsic);
