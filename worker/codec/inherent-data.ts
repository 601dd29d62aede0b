import { compareBytes, textToBytes } from '../bytes/bytes.ts';
import { Writer } from '../bytes/writer.ts';

/** One inherent: its 8-byte identifier and the SCALE value. */
export type Inherent = readonly [id: string, value: Uint8Array];

/** sp-inherents `InherentData`: a map sorted by identifier. */
export const encodeInherentData = (inherents: readonly Inherent[]): Uint8Array => {
  const entries = inherents.map(([id, value]) => [textToBytes(id), value] as const);
  entries.sort((a, b) => compareBytes(a[0], b[0]));
  const writer = new Writer(128).compact(entries.length);
  for (const [id, value] of entries) writer.raw(id).vecBytes(value);
  return writer.finish();
};

export const encodeU64 = (value: bigint): Uint8Array => new Writer(8).u64(value).finish();
