import { decodeWhole, type Reader } from '../bytes/reader.ts';
import { Writer } from '../bytes/writer.ts';
import { isSeal, readDigestItem } from './digest.ts';

/** sp-runtime's generic header with a u32 number. `digest` contains the SCALE bytes of each item. */
export type Header = {
  readonly parentHash: Uint8Array;
  readonly number: number;
  readonly stateRoot: Uint8Array;
  readonly extrinsicsRoot: Uint8Array;
  readonly digest: readonly Uint8Array[];
};

export const writeHeader = (writer: Writer, header: Header): Writer => {
  writer.raw(header.parentHash).compact(header.number).raw(header.stateRoot).raw(header.extrinsicsRoot);
  writer.compact(header.digest.length);
  for (const item of header.digest) writer.raw(item);
  return writer;
};

export const encodeHeader = (header: Header): Uint8Array => writeHeader(new Writer(256), header).finish();

/** Copies every field, so that the header does not keep a larger buffer alive. */
export const readHeader = (reader: Reader): Header => ({
  parentHash: reader.take(32).slice(),
  number: reader.compact(),
  stateRoot: reader.take(32).slice(),
  extrinsicsRoot: reader.take(32).slice(),
  digest: reader.vec((items) => {
    const start = items.offset;
    readDigestItem(items);
    return items.bytes.slice(start, items.offset);
  }),
});

/** Throws `BadScale` unless the bytes are exactly one header. */
export const decodeHeader = (bytes: Uint8Array): Header => decodeWhole(bytes, readHeader);

/** Splits a header into the one that the runtime executes and the seals at its end. */
export const splitSeals = (
  header: Header,
): { readonly unsealed: Header; readonly seals: readonly Uint8Array[] } => {
  let end = header.digest.length;
  while (end > 0 && isSeal(header.digest[end - 1] as Uint8Array)) end--;
  return { unsealed: { ...header, digest: header.digest.slice(0, end) }, seals: header.digest.slice(end) };
};
