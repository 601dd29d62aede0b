import { NodeError } from '../../src/protocol/errors.ts';
import { textToBytes } from '../bytes/bytes.ts';
import { Writer } from '../bytes/writer.ts';
import { decodeValue } from './decode.ts';
import {
  findByName,
  isHexText,
  isMissing,
  isObject,
  listNames,
  type Place,
  readByteArray,
  readBytes,
  readHexText,
  readInteger,
  refuseValue,
  showValue,
} from './given.ts';
import { addressVariant, readVariant, type VariantDef } from './given-variant.ts';
import {
  type Coding,
  describeType,
  type Field,
  isByteType,
  oneOf,
  type Primitive,
  type TypeDef,
  type Types,
  typeAt,
  unwrapType,
} from './types.ts';

/** Limits of one value. A request is shorter, but types may repeat a default many times. */
const deepest = 64;
const mostParts = 1_000_000;
const mostBytes = 16 * 1024 * 1024;

type Work = Coding & { readonly out: Writer; parts: number };

const below = ({ path, depth }: Place, step: string | number): Place => ({
  path: typeof step === 'number' ? `${path}[${step}]` : `${path}.${step}`,
  depth: depth + 1,
});

const writeInteger = (out: Writer, value: bigint, bits: number): void => {
  for (let shift = 0n; shift < BigInt(bits); shift += 8n) out.u8(Number((value >> shift) & 255n));
};

const writePrimitive = ({ out }: Work, type: Primitive, value: unknown, place: Place): void => {
  if (type === 'bool') {
    if (!isMissing(value) && typeof value !== 'boolean')
      refuseValue(place, `${showValue(value)} is neither true nor false`);
    out.bool(value === true);
  } else if (type === 'str' || type === 'char') {
    if (!isMissing(value) && typeof value !== 'string')
      refuseValue(place, `${showValue(value)} is not a string`);
    const text = (value as string | null | undefined) ?? '';
    if (type === 'str') out.vecBytes(textToBytes(text));
    else out.u32(text.codePointAt(0) ?? 0);
  } else writeInteger(out, readInteger(value, type, place), Number(type.slice(1)));
};

/** Hex in place of a type that is neither a number nor bytes is its SCALE encoding. */
const writeScale = (work: Work, id: number, text: string, place: Place): void => {
  const bytes = readHexText(text, place);
  try {
    decodeValue(work, id, bytes);
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    const type = describeType(work.types, id);
    refuseValue(place, `${showValue(text)} is not the SCALE encoding of ${oneOf(type)} (${error.message})`);
  }
  work.out.raw(bytes);
};

const readList = (value: unknown, count: number | null, place: Place): readonly unknown[] => {
  const items = isMissing(value) ? Array.from({ length: count ?? 0 }) : value;
  if (!Array.isArray(items)) return refuseValue(place, `${showValue(value)} is no list`);
  if (count !== null && items.length !== count)
    refuseValue(place, `the list has ${items.length} items, not ${count}`);
  return items as readonly unknown[];
};

/** A type without contents accepts any empty value. */
const needNothing = (value: unknown, place: Place): void => {
  if (!isMissing(value) && value !== '' && !(typeof value === 'object' && Object.keys(value).length === 0))
    refuseValue(place, `${showValue(value)} is not empty, as the type is: write null`);
};

const writeItems = (work: Work, types: readonly number[], value: unknown, place: Place): void => {
  if (types.length === 0) {
    needNothing(value, place);
    return;
  }
  const items = readList(value, types.length, place);
  for (const [index, type] of types.entries()) write(work, type, items[index], below(place, index));
};

/** The given value of each field. Missing fields are omitted. */
const matchFields = (
  fields: readonly Field[],
  value: unknown,
  place: Place,
): ReadonlyMap<Field, readonly [name: string, content: unknown]> => {
  if (!isMissing(value) && !isObject(value))
    return refuseValue(place, `${showValue(value)} is no object; its fields are ${listNames(fields)}`);
  const given = new Map<Field, readonly [string, unknown]>();
  for (const [name, content] of Object.entries(value ?? {})) {
    const field = findByName(fields, name);
    if (field === undefined)
      return refuseValue(place, `there is no field ${showValue(name)}; there are ${listNames(fields)}`);
    given.set(field, [name, content]);
  }
  return given;
};

const typesOf = (fields: readonly Field[]): number[] => fields.map(({ type }) => type);

/** Fields by name as an object, or in order as a list. Missing ones get the default. */
const writeNamed = (work: Work, fields: readonly Field[], value: unknown, place: Place): void => {
  if (Array.isArray(value)) {
    writeItems(work, typesOf(fields), value, place);
    return;
  }
  const given = matchFields(fields, value, place);
  for (const field of fields) {
    const [name, content] = given.get(field) ?? [field.name ?? '', undefined];
    write(work, field.type, content, below(place, name));
  }
};

const writeFields = (work: Work, fields: readonly Field[], value: unknown, place: Place): void => {
  const [first] = fields;
  if (first === undefined) needNothing(value, place);
  else if (first.name !== null) writeNamed(work, fields, value, place);
  else if (fields.length === 1) write(work, first.type, value, { ...place, depth: place.depth + 1 });
  else writeItems(work, typesOf(fields), value, place);
};

const writeVariant = (work: Work, def: VariantDef, value: unknown, place: Place): void => {
  if (def.name === 'Option') {
    const some = def.variants.find(({ fields }) => fields.length === 1);
    if (isMissing(value) || some === undefined) work.out.u8(0);
    else {
      work.out.u8(some.index);
      writeFields(work, some.fields, value, place);
    }
    return;
  }
  const [variant, content] = readVariant(work, def, value, place);
  work.out.u8(variant.index);
  const isNamed = content !== value && content !== undefined;
  writeFields(work, variant.fields, content, isNamed ? below(place, variant.name) : place);
};

const writeSequence = (work: Work, item: number, value: unknown, place: Place): void => {
  if (isByteType(work.types, item)) {
    work.out.vecBytes(readBytes(value, place));
    return;
  }
  const items = readList(value, null, place);
  work.out.compact(items.length);
  for (const [index, one] of items.entries()) write(work, item, one, below(place, index));
};

type ArrayDef = Extract<TypeDef, { kind: 'array' }>;

const writeArray = (work: Work, { item, length }: ArrayDef, value: unknown, place: Place): void => {
  const isBytes = isByteType(work.types, item);
  if (length > (isBytes ? mostBytes : mostParts)) refuseValue(place, `a list of ${length} is too long`);
  if (isBytes) work.out.raw(readByteArray(work, value, length, place));
  else {
    const items = readList(value, length, place);
    for (const [index, one] of items.entries()) write(work, item, one, below(place, index));
  }
};

const writeCompact = (work: Work, inner: number, value: unknown, place: Place): void => {
  const def = unwrapType(work.types, inner);
  if (def.kind === 'primitive' && def.primitive.startsWith('u'))
    work.out.compact(readInteger(value, def.primitive, place));
};

/**
 * Bits as hex of the bytes that contain them, as a string of 0 and 1 after `0b`, or as a list of booleans.
 */
const writeBits = (
  work: Work,
  def: Extract<TypeDef, { kind: 'bits' }>,
  value: unknown,
  place: Place,
): void => {
  if (!isByteType(work.types, def.store))
    refuseValue(place, 'bits that are not kept in bytes are written as the SCALE hex of the whole value');
  if (isHexText(value)) {
    const bytes = readHexText(value, place);
    work.out.compact(bytes.length * 8).raw(bytes);
    return;
  }
  const text = typeof value === 'string' && /^0b[01]*$/.test(value) ? value.slice(2) : null;
  const bits = text === null ? readList(value, null, place) : [...text].map((bit) => bit === '1');
  const isLsb = describeType(work.types, def.order) === 'Lsb0';
  const bytes = new Uint8Array(Math.ceil(bits.length / 8));
  for (const [index, bit] of bits.entries()) {
    if (typeof bit !== 'boolean')
      refuseValue(below(place, index), `${showValue(bit)} is neither true nor false`);
    if (bit === true)
      bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (1 << (isLsb ? index & 7 : 7 - (index & 7)));
  }
  work.out.compact(bits.length).raw(bytes);
};

type CompositeDef = Extract<TypeDef, { kind: 'composite' }>;

const writeComposite = (work: Work, { name, fields }: CompositeDef, value: unknown, place: Place): void =>
  writeFields(work, fields, name === 'BTreeMap' && isObject(value) ? Object.entries(value) : value, place);

/**
 * Whether hex is the SCALE encoding of the whole value, rather than its bytes, its number or the value it
 * wraps.
 */
const isWhole = (types: Types, def: TypeDef): boolean => {
  if (def.kind === 'composite') return def.fields.length > 1 || def.fields[0]?.name != null;
  if (def.kind === 'variant') return def.name !== 'Option';
  if (def.kind === 'sequence' || def.kind === 'array') return !isByteType(types, def.item);
  return def.kind === 'tuple';
};

const write = (work: Work, id: number, value: unknown, place: Place): void => {
  if (place.depth > deepest) refuseValue(place, 'the value is nested too deep');
  if (++work.parts > mostParts || work.out.length > mostBytes) refuseValue(place, 'the value is too large');
  const def = typeAt(work.types, id);
  if (
    isHexText(value) &&
    isWhole(work.types, def) &&
    !(def.kind === 'variant' && addressVariant(work, def, value))
  ) {
    writeScale(work, id, value, place);
    return;
  }
  switch (def.kind) {
    case 'composite':
      writeComposite(work, def, value, place);
      break;
    case 'variant':
      writeVariant(work, def, value, place);
      break;
    case 'sequence':
      writeSequence(work, def.item, value, place);
      break;
    case 'array':
      writeArray(work, def, value, place);
      break;
    case 'tuple':
      writeItems(work, def.items, value, place);
      break;
    case 'primitive':
      writePrimitive(work, def.primitive, value, place);
      break;
    case 'compact':
      writeCompact(work, def.inner, value, place);
      break;
    case 'bits':
      writeBits(work, def, value, place);
      break;
    default:
      def satisfies never;
  }
};

/**
 * Encodes a value of a runtime's type as SCALE. Accepts the JSON of polkadot-js and chopsticks: numbers also
 * as text, bytes as hex or text, accounts as addresses, and defaults for missing values. Throws `BadValue`,
 * which names the position.
 */
export const encodeValue = (
  { types, crypto }: Coding,
  id: number,
  value: unknown,
  path: string,
): Uint8Array => {
  const out = new Writer(128);
  write({ types, crypto, out, parts: 0 }, id, value, { path, depth: 0 });
  return out.finish();
};
