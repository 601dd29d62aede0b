import { concatBytes, noBytes } from '../../worker/bytes/bytes.ts';
import { encodeVarint } from './streams.ts';

type Value = Uint8Array | number;

/** A protobuf message of varints and byte strings. */
export const encodeFields = (...fields: readonly (readonly [field: number, value: Value])[]): Uint8Array =>
  concatBytes(
    ...fields.flatMap(([field, value]) =>
      typeof value === 'number'
        ? [encodeVarint(field * 8), encodeVarint(value)]
        : [encodeVarint(field * 8 + 2), encodeVarint(value.length), value],
    ),
  );

/** The fields of a message; a field that is absent has protobuf's default value. */
export const decodeFields = (bytes: Uint8Array) => {
  const values = new Map<number, Value[]>();
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let scale = 1; scale <= 128 ** 6; scale *= 128) {
      const byte = bytes[at++];
      if (byte === undefined) break;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
    throw new RangeError('a number of a protobuf message does not end');
  };
  const chunk = (): Uint8Array => {
    const length = varint();
    if (at + length > bytes.length) throw new RangeError('a protobuf message ends too early');
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = varint();
    const wire = tag % 8;
    if (wire !== 0 && wire !== 2) throw new RangeError(`a protobuf message has wire type ${wire}`);
    const field = Math.floor(tag / 8);
    values.set(field, [...(values.get(field) ?? []), wire === 0 ? varint() : chunk()]);
  }
  const all = (field: number): Uint8Array[] =>
    (values.get(field) ?? []).filter((value) => typeof value !== 'number');
  return {
    has: (field: number): boolean => values.has(field),
    number: (field: number): number => {
      const [value = 0] = values.get(field) ?? [];
      return typeof value === 'number' ? value : 0;
    },
    bytes: (field: number): Uint8Array => all(field)[0] ?? noBytes,
    all,
  };
};
