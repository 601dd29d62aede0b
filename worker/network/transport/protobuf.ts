import { concatBytes, noBytes } from '../../bytes/bytes.ts';
import { encodeVarint } from './framing.ts';
import { ProtocolError } from './protocol-error.ts';

type Value = Uint8Array | number;

const wires = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;
const maxVarintBytes = 10;
/** More than a response of 128 blocks has, and few enough to keep views of. */
const maxFields = 2 ** 18;

/** How many fields may still come: of one message, or of several that are parts of one. */
export type FieldLimit = { left: number };

export const createFieldLimit = (): FieldLimit => ({ left: maxFields });

/** A protobuf message of varints and byte strings. */
export const encodeFields = (...fields: readonly (readonly [field: number, value: Value])[]): Uint8Array =>
  concatBytes(
    ...fields.flatMap(([field, value]) =>
      typeof value === 'number'
        ? [encodeVarint(field * 8 + wires.varint), encodeVarint(value)]
        : [encodeVarint(field * 8 + wires.bytes), encodeVarint(value.length), value],
    ),
  );

const tooShort = (): ProtocolError => new ProtocolError('A protobuf message ends too early');

const createCursor = (bytes: Uint8Array) => {
  let at = 0;
  const skip = (length: number): number => {
    if (length > bytes.length - at) throw tooShort();
    at += length;
    return at - length;
  };
  /** Exact up to 2^53. */
  const varint = (): number => {
    let value = 0;
    for (let count = 0; count < maxVarintBytes; count++) {
      const byte = bytes[skip(1)] as number;
      value += (byte & 127) * 128 ** count;
      if (byte < 128) return value;
    }
    throw new ProtocolError('A number of a protobuf message does not end');
  };
  return {
    isAtEnd: () => at === bytes.length,
    skip,
    varint,
    chunk: (): Uint8Array => {
      const start = skip(varint());
      return bytes.subarray(start, at);
    },
  };
};

const readValues = (bytes: Uint8Array, limit: FieldLimit): Map<number, Value[]> => {
  const values = new Map<number, Value[]>();
  const cursor = createCursor(bytes);
  while (!cursor.isAtEnd()) {
    if (limit.left-- <= 0) throw new ProtocolError(`A protobuf message has more than ${maxFields} fields`);
    const tag = cursor.varint();
    const wire = tag % 8;
    const field = Math.floor(tag / 8);
    if (field === 0) throw new ProtocolError('A protobuf message has a field 0');
    if (wire === wires.fixed64 || wire === wires.fixed32) {
      cursor.skip(wire === wires.fixed64 ? 8 : 4);
      continue;
    }
    if (wire !== wires.varint && wire !== wires.bytes)
      throw new ProtocolError(`A protobuf message has wire type ${wire}`);
    const value = wire === wires.varint ? cursor.varint() : cursor.chunk();
    const known = values.get(field);
    if (known === undefined) values.set(field, [value]);
    else known.push(value);
  }
  return values;
};

/**
 * The fields of a message, byte strings as views; a field that is absent has protobuf's default value, and of one that
 * is repeated the last counts. Fields of fixed size are skipped. Parts of one message share its limit. Throws `ProtocolError`.
 */
export const decodeFields = (message: Uint8Array, limit = createFieldLimit()) => {
  const values = readValues(message, limit);
  const all = (field: number): Uint8Array[] =>
    (values.get(field) ?? []).filter((value) => typeof value !== 'number');
  return {
    has: (field: number): boolean => values.has(field),
    number: (field: number): number => {
      const value = values.get(field)?.at(-1);
      return typeof value === 'number' ? value : 0;
    },
    bytes: (field: number): Uint8Array => all(field).at(-1) ?? noBytes,
    all,
  };
};
