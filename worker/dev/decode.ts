import { NodeError } from '../../src/protocol/errors.ts';
import { bytesToHex } from '../bytes/hex.ts';
import { Reader } from '../bytes/reader.ts';
import { ss58Encode } from '../crypto/ss58.ts';
import { type Coding, type Field, isByteType, type Primitive, type TypeDef, typeAt } from './types.ts';

/** A decoded value of a runtime's type. `dev_setStorage` accepts the same form. */
export type Shown = null | boolean | number | string | readonly Shown[] | { readonly [name: string]: Shown };

/** Limit of depth. Deeper values, or ones with too many parts, indicate invalid bytes or metadata. */
const deepest = 64;
const mostParts = 1_000_000;

type Work = Coding & {
  readonly reader: Reader;
  readonly ss58Prefix: number;
  parts: number;
};

const bad = (why: string): NodeError => new NodeError('BadScale', why);

const readInteger = (reader: Reader, bits: number, isSigned: boolean): Shown => {
  let value = 0n;
  for (const byte of reader.take(bits / 8).toReversed()) value = (value << 8n) | BigInt(byte);
  if (isSigned) value = BigInt.asIntN(bits, value);
  return bits <= 32 ? Number(value) : String(value);
};

const readPrimitive = (reader: Reader, primitive: Primitive): Shown => {
  if (primitive === 'bool') return reader.bool();
  if (primitive === 'char') return String.fromCodePoint(reader.u32());
  if (primitive === 'str') return reader.text();
  return readInteger(reader, Number(primitive.slice(1)), primitive.startsWith('i'));
};

/** Field names in the spelling of polkadot-js. */
const toCamel = (name: string): string =>
  name.replace(/_+([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase());

const readFields = (work: Work, fields: readonly Field[], depth: number): Shown => {
  const [first] = fields;
  if (first === undefined) return null;
  if (first.name === null) {
    if (fields.length === 1) return read(work, first.type, depth);
    return fields.map(({ type }) => read(work, type, depth));
  }
  return Object.fromEntries(fields.map(({ name, type }) => [toCamel(name ?? ''), read(work, type, depth)]));
};

const readVariant = (work: Work, def: Extract<TypeDef, { kind: 'variant' }>, depth: number): Shown => {
  const index = work.reader.u8();
  const variant = def.variants.find((one) => one.index === index);
  if (variant === undefined) throw bad(`${def.name} has no variant ${index}`);
  const content = readFields(work, variant.fields, depth);
  if (def.name === 'Option') return content;
  return variant.fields.length === 0 ? variant.name : { [variant.name]: content };
};

const readMany = (work: Work, count: number, item: number, depth: number): Shown => {
  if (isByteType(work.types, item)) return bytesToHex(work.reader.take(count));
  if (count > mostParts) throw bad(`${count} items are too many`);
  const items: Shown[] = [];
  for (let i = 0; i < count; i++) items.push(read(work, item, depth));
  return items;
};

const readCompact = (work: Work, inner: number): Shown => {
  const def = typeAt(work.types, inner);
  if (def.kind === 'tuple' && def.items.length === 0) return null;
  const value = work.reader.compactBig();
  return value <= 0xffff_ffffn ? Number(value) : String(value);
};

const readBits = (work: Work, store: number): Shown => {
  const count = work.reader.compact();
  const def = typeAt(work.types, store);
  const width = def.kind === 'primitive' ? Number(def.primitive.slice(1)) : Number.NaN;
  if (!(width >= 8)) throw bad('a bit sequence is not kept in whole numbers');
  return bytesToHex(work.reader.take(Math.ceil(count / width) * (width / 8)));
};

const readComposite = (work: Work, def: Extract<TypeDef, { kind: 'composite' }>, depth: number): Shown => {
  if (def.name !== 'AccountId32') return readFields(work, def.fields, depth);
  return ss58Encode(work.crypto, work.reader.take(32), work.ss58Prefix);
};

const read = (work: Work, id: number, depth: number): Shown => {
  if (depth > deepest || ++work.parts > mostParts) throw bad('the value is nested too deep or is too large');
  const def = typeAt(work.types, id);
  switch (def.kind) {
    case 'composite':
      return readComposite(work, def, depth + 1);
    case 'variant':
      return readVariant(work, def, depth + 1);
    case 'sequence':
      return readMany(work, work.reader.compact(), def.item, depth + 1);
    case 'array':
      return readMany(work, def.length, def.item, depth + 1);
    case 'tuple':
      return def.items.length === 0 ? null : def.items.map((item) => read(work, item, depth + 1));
    case 'primitive':
      return readPrimitive(work.reader, def.primitive);
    case 'compact':
      return readCompact(work, def.inner);
    case 'bits':
      return readBits(work, def.store);
    default:
      return def satisfies never;
  }
};

/** Decodes one value and leaves the reader after it. Throws `BadScale`. */
export const readValue = ({ types, crypto }: Coding, id: number, reader: Reader, ss58Prefix = 42): Shown => {
  try {
    return read({ types, crypto, reader, ss58Prefix, parts: 0 }, id, 0);
  } catch (error) {
    // Not a valid char.
    if (error instanceof RangeError) throw bad(error.message);
    throw error;
  }
};

/** Decodes one value from its SCALE bytes. Throws `BadScale` if there are too few or too many. */
export const decodeValue = (coding: Coding, id: number, bytes: Uint8Array, ss58Prefix = 42): Shown => {
  const reader = new Reader(bytes);
  const value = readValue(coding, id, reader, ss58Prefix);
  reader.end();
  return value;
};
