import { NodeError } from '../../src/protocol/errors.ts';
import type { Reader } from '../bytes/reader.ts';
import type { AddressHash } from '../crypto/ss58.ts';

export type Field = { readonly name: string | null; readonly type: number };
export type Variant = { readonly name: string; readonly index: number; readonly fields: readonly Field[] };

/** The primitives in the order of scale-info's `TypeDefPrimitive`. */
export const primitives = [
  'bool',
  'char',
  'str',
  'u8',
  'u16',
  'u32',
  'u64',
  'u128',
  'u256',
  'i8',
  'i16',
  'i32',
  'i64',
  'i128',
  'i256',
] as const;
export type Primitive = (typeof primitives)[number];

/** The structure of a type; types refer to each other by number. */
export type TypeDef =
  | {
      readonly kind: 'composite';
      readonly name: string;
      readonly fields: readonly Field[];
      /** The generic parameters that have a type, by name. */
      readonly params?: Readonly<Record<string, number>>;
    }
  | { readonly kind: 'variant'; readonly name: string; readonly variants: readonly Variant[] }
  | { readonly kind: 'sequence'; readonly item: number }
  | { readonly kind: 'array'; readonly item: number; readonly length: number }
  | { readonly kind: 'tuple'; readonly items: readonly number[] }
  | { readonly kind: 'primitive'; readonly primitive: Primitive }
  | { readonly kind: 'compact'; readonly inner: number }
  | { readonly kind: 'bits'; readonly store: number; readonly order: number };

/** The types of a runtime by number (scale-info's portable registry, metadata V14). */
export type Types = ReadonlyMap<number, TypeDef>;

/** What is needed to encode and decode values: the types, and the hash function for account addresses. */
export type Coding = { readonly types: Types; readonly crypto: AddressHash };

export const readText = (reader: Reader): string => reader.text();
export const readTexts = (reader: Reader): string[] => reader.vec(readText);
export const readNumber = (reader: Reader): number => reader.compact();

const readField = (reader: Reader): Field => {
  const name = reader.option(readText);
  const type = reader.compact();
  reader.option(readText);
  readTexts(reader);
  return { name, type };
};

const readVariant = (reader: Reader): Variant => {
  const name = readText(reader);
  const fields = reader.vec(readField);
  const index = reader.u8();
  readTexts(reader);
  return { name, index, fields };
};

const readPrimitive = (reader: Reader): Primitive => {
  const index = reader.u8();
  const primitive = primitives[index];
  if (primitive === undefined) throw new NodeError('BadScale', `Metadata: unknown primitive ${index}`);
  return primitive;
};

/** `name` is the last part of the type's path. */
const readDefinition = (reader: Reader, name: string, params: Readonly<Record<string, number>>): TypeDef => {
  const kind = reader.u8();
  switch (kind) {
    case 0:
      return { kind: 'composite', name, params, fields: reader.vec(readField) };
    case 1:
      return { kind: 'variant', name, variants: reader.vec(readVariant) };
    case 2:
      return { kind: 'sequence', item: reader.compact() };
    case 3: {
      const length = reader.u32();
      return { kind: 'array', length, item: reader.compact() };
    }
    case 4:
      return { kind: 'tuple', items: reader.vec(readNumber) };
    case 5:
      return { kind: 'primitive', primitive: readPrimitive(reader) };
    case 6:
      return { kind: 'compact', inner: reader.compact() };
    case 7:
      return { kind: 'bits', store: reader.compact(), order: reader.compact() };
    default:
      throw new NodeError('BadScale', `Metadata: unknown type definition ${kind}`);
  }
};

export const readTypes = (reader: Reader): Types => {
  const types = new Map<number, TypeDef>();
  reader.vec(() => {
    const id = reader.compact();
    const path = readTexts(reader);
    const params = reader.vec((from) => [readText(from), from.option(readNumber)] as const);
    const typed = params.flatMap(([name, type]) => (type === null ? [] : [[name, type] as const]));
    types.set(id, readDefinition(reader, path.at(-1) ?? '', Object.fromEntries(typed)));
    readTexts(reader);
  });
  return types;
};

export const typeAt = (types: Types, id: number): TypeDef => {
  const def = types.get(id);
  if (def === undefined) throw new NodeError('BadScale', `Metadata: there is no type ${id}`);
  return def;
};

/** Unwraps types with a single unnamed field, recursively. Such wrappers add no bytes. */
export const unwrapType = (types: Types, id: number): TypeDef => {
  let def = typeAt(types, id);
  // A wrapper that contains itself would loop forever. Real ones are a few levels deep.
  for (let depth = 0; depth < 32; depth++) {
    if (def.kind !== 'composite' || def.fields.length !== 1 || def.fields[0]?.name !== null) return def;
    def = typeAt(types, (def.fields[0] as Field).type);
  }
  throw new NodeError('BadScale', `Metadata: type ${id} wraps itself`);
};

export const isByteType = (types: Types, id: number): boolean => {
  const def = typeAt(types, id);
  return def.kind === 'primitive' && def.primitive === 'u8';
};

/** A short description of a type for error messages. */
export const describeType = (types: Types, id: number): string => {
  const def = typeAt(types, id);
  switch (def.kind) {
    case 'composite':
    case 'variant':
      return def.name === '' ? def.kind : def.name;
    case 'primitive':
      return def.primitive;
    case 'sequence':
      return isByteType(types, def.item) ? 'Bytes' : 'list';
    case 'array':
      return isByteType(types, def.item) ? `[u8; ${def.length}]` : `list of ${def.length}`;
    case 'tuple':
      return `tuple of ${def.items.length}`;
    case 'compact':
      return describeType(types, def.inner);
    case 'bits':
      return 'bit sequence';
    default:
      return def satisfies never;
  }
};

/** A type's description with its article: `an AccountId32`, `a u32`. */
export const oneOf = (description: string): string =>
  `${/^[aeio]/i.test(description) ? 'an' : 'a'} ${description}`;
