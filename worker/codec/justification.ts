import { bytesToKey } from '../bytes/bytes.ts';
import { decodeWhole, type Reader } from '../bytes/reader.ts';
import { Writer } from '../bytes/writer.ts';

/**
 * A proof of finality: an engine id of four bytes, and that engine's own encoding (sp-runtime
 * `Justification`).
 */
export type Justification = readonly [engine: Uint8Array, data: Uint8Array];
export type Justifications = readonly Justification[];

/** Copies both parts. */
export const readJustification = (reader: Reader): Justification => [
  reader.take(4).slice(),
  reader.vecBytes().slice(),
];

export const writeJustifications = (writer: Writer, justifications: Justifications): Writer =>
  writer.vec(justifications, (out, [engine, data]) => out.raw(engine).vecBytes(data));

export const encodeJustifications = (justifications: Justifications): Uint8Array =>
  writeJustifications(new Writer(256), justifications).finish();

/** Throws `BadScale`. */
export const decodeJustifications = (bytes: Uint8Array): Justification[] =>
  decodeWhole(bytes, (reader) => reader.vec(readJustification));

/** The payload for an engine (four ASCII letters), or null. */
export const findJustification = (justifications: Justifications | null, engine: string): Uint8Array | null =>
  justifications?.find(([id]) => bytesToKey(id) === engine)?.[1] ?? null;
