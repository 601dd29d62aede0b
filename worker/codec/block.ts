import { NodeError } from '../../src/protocol/errors.ts';
import { Reader } from '../bytes/reader.ts';
import { Writer } from '../bytes/writer.ts';
import { type Header, readHeader, writeHeader } from './header.ts';

/** A block; each extrinsic is whole, with its own compact length prefix. */
export type Block = { readonly header: Header; readonly extrinsics: readonly Uint8Array[] };

export const encodeBlock = (block: Block): Uint8Array => {
  const writer = writeHeader(new Writer(512), block.header).compact(block.extrinsics.length);
  for (const extrinsic of block.extrinsics) writer.raw(extrinsic);
  return writer.finish();
};

/** One whole extrinsic, length prefix included, copied out. */
export const readExtrinsic = (reader: Reader): Uint8Array => {
  const start = reader.offset;
  reader.vecBytes();
  return reader.bytes.slice(start, reader.offset);
};

export const decodeBlock = (bytes: Uint8Array): Block => {
  const reader = new Reader(bytes);
  const block = { header: readHeader(reader), extrinsics: reader.vec(readExtrinsic) };
  reader.end();
  return block;
};

export const encodeBody = (extrinsics: readonly Uint8Array[]): Uint8Array => {
  const writer = new Writer(256).compact(extrinsics.length);
  for (const extrinsic of extrinsics) writer.raw(extrinsic);
  return writer.finish();
};

export const decodeBody = (bytes: Uint8Array): Uint8Array[] => new Reader(bytes).vec(readExtrinsic);

/** Checks the outer form: one length prefix, a known version byte (4 or 5, signed, bare or general). Throws `BadExtrinsic`. */
export const checkExtrinsic = (bytes: Uint8Array): void => {
  const bad = (why: string): never => {
    throw new NodeError('BadExtrinsic', why);
  };
  if (bytes.length === 0) bad('Not enough data to fill buffer');
  let body: Uint8Array = bytes;
  try {
    const reader = new Reader(bytes);
    body = reader.vecBytes();
    reader.end();
  } catch (cause) {
    bad(cause instanceof Error ? cause.message : 'Invalid length prefix');
  }
  if (body.length === 0) bad('Not enough data to fill buffer');
  const version = body[0] as number;
  if (![0x04, 0x84, 0x05, 0x45].includes(version)) bad('Invalid transaction version');
};
