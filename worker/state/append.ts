import { noBytes } from '../bytes/bytes.ts';
import { Writer } from '../bytes/writer.ts';

/**
 * The items of an appended value in one growing buffer, without the preceding count (sp-state-machine, `StorageAppend`). Only ever
 * appended to, so that an earlier state is just a shorter length.
 */
export type AppendBody = { bytes: Uint8Array };

/** Reads a canonical SCALE compact u32. Returns its value and size, or null if it does not decode. */
const decodeCount = (bytes: Uint8Array): readonly [count: number, size: number] | null => {
  const first = bytes[0];
  if (first === undefined) return null;
  const mode = first & 3;
  const size = mode === 0 ? 1 : mode === 1 ? 2 : mode === 2 ? 4 : 5;
  if (bytes.length < size || (mode === 3 && first !== 3)) return null;
  let value = 0;
  for (let i = size - 1; i >= (mode === 3 ? 1 : 0); i--) value = value * 256 + (bytes[i] as number);
  if (mode !== 3) value = Math.floor(value / 4);
  const least = mode === 0 ? 0 : mode === 1 ? 0x40 : mode === 2 ? 0x4000 : 0x4000_0000;
  return value < least ? null : [value, size];
};

/** Splits a value into its count and items. A value that is not a vector counts as empty. */
export const splitVector = (value: Uint8Array | null): readonly [count: number, items: Uint8Array] => {
  const head = value === null ? null : decodeCount(value);
  return head === null ? [0, noBytes] : [head[0], (value as Uint8Array).subarray(head[1])];
};

export const createAppendBody = (items: Uint8Array, extra: number): AppendBody => {
  const bytes = new Uint8Array(Math.max(64, (items.length + extra) * 2));
  bytes.set(items);
  return { bytes };
};

/** Writes an item after the first `length` bytes. Returns the new length. */
export const appendItem = (body: AppendBody, length: number, item: Uint8Array): number => {
  const end = length + item.length;
  if (end > body.bytes.length) {
    const grown = new Uint8Array(end * 2);
    grown.set(body.bytes.subarray(0, length));
    body.bytes = grown;
  }
  body.bytes.set(item, length);
  return end;
};

/** The flat value: the compact count, then the items. */
export const flattenBody = (body: AppendBody, length: number, count: number): Uint8Array => {
  const head = new Writer(5).compact(count).finish();
  const out = new Uint8Array(head.length + length);
  out.set(head);
  out.set(body.bytes.subarray(0, length), head.length);
  return out;
};
