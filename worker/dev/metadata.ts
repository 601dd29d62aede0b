import { Reader } from '../bytes/reader.ts';
import { readNumber, readText, readTexts, readTypes, type Types, typeAt, type Variant } from './types.ts';

/** Hashers of map keys as metadata V14 numbers them. */
export type Hasher = 0 | 1 | 2 | 3 | 4 | 5 | 6;

export type StorageItem = {
  readonly name: string;
  /** None for a plain item. */
  readonly hashers: readonly Hasher[];
  /** The types of a map's keys, one per hasher. */
  readonly keys: readonly number[];
  readonly value: number;
};

export type Pallet = {
  readonly name: string;
  readonly index: number;
  /** Each call's index by its name. */
  readonly calls: ReadonlyMap<string, number>;
  /** Each error's name by its index. */
  readonly errors: ReadonlyMap<number, string>;
  readonly prefix: string | null;
  readonly items: ReadonlyMap<string, StorageItem>;
};

export type SignedExtension = { readonly identifier: string; readonly extra: number };

/** What is needed to name, write and read storage and to build a transaction, from metadata V14. */
export type Outline = {
  readonly types: Types;
  readonly pallets: ReadonlyMap<string, Pallet>;
  /** In order; `extra` is the type of what the transaction carries for it. */
  readonly extensions: readonly SignedExtension[];
};

/** A map with several hashers has a tuple of as many keys. */
const keysOf = (types: Types, key: number, hashers: readonly Hasher[]): readonly number[] => {
  if (hashers.length < 2) return [key];
  const def = typeAt(types, key);
  return def.kind === 'tuple' ? def.items : [key];
};

const readItem = (reader: Reader, types: Types): StorageItem => {
  const name = readText(reader);
  reader.u8();
  const isMap = reader.u8() === 1;
  const hashers = isMap ? reader.vec((from) => from.u8() as Hasher) : [];
  const first = reader.compact();
  const value = isMap ? reader.compact() : first;
  reader.vecBytes();
  readTexts(reader);
  return { name, hashers, keys: isMap ? keysOf(types, first, hashers) : [], value };
};

const skipConstant = (reader: Reader): void => {
  readText(reader);
  reader.compact();
  reader.vecBytes();
  readTexts(reader);
};

const variantsOf = (types: Types, id: number | null): readonly Variant[] => {
  const def = id === null ? null : typeAt(types, id);
  return def?.kind === 'variant' ? def.variants : [];
};

const readPallet = (reader: Reader, types: Types): Pallet => {
  const name = readText(reader);
  const storage = reader.option(() => {
    const prefix = readText(reader);
    return { prefix, items: reader.vec(() => readItem(reader, types)) };
  });
  const calls = reader.option(readNumber);
  reader.option(readNumber);
  reader.vec(skipConstant);
  const errors = reader.option(readNumber);
  return {
    name,
    index: reader.u8(),
    calls: new Map(variantsOf(types, calls).map((call) => [call.name, call.index])),
    errors: new Map(variantsOf(types, errors).map((error) => [error.index, error.name])),
    prefix: storage?.prefix ?? null,
    items: new Map(storage?.items.map((item) => [item.name, item])),
  };
};

/** Null for other versions than 14. */
export const readOutline = (metadata: Uint8Array): Outline | null => {
  const reader = new Reader(metadata);
  reader.u32();
  if (reader.u8() !== 14) return null;
  const types = readTypes(reader);
  const pallets = reader.vec((from) => readPallet(from, types));
  reader.compact();
  reader.u8();
  const extensions = reader.vec((from) => {
    const identifier = readText(from);
    const extra = from.compact();
    from.compact();
    return { identifier, extra };
  });
  return { types, pallets: new Map(pallets.map((pallet) => [pallet.name, pallet])), extensions };
};
