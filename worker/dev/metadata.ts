import { NodeError } from '../../src/protocol/errors.ts';
import { Reader } from '../bytes/reader.ts';
import { readNumber, readText, readTexts, readTypes, type Types, typeAt, type Variant } from './types.ts';

/** Map key hashers by their number in metadata V14. */
export type Hasher = 0 | 1 | 2 | 3 | 4 | 5 | 6;

export type StorageItem = {
  readonly name: string;
  /** Empty for a plain item. */
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

/** The parts of metadata V14 needed to name, encode and decode storage and to build a transaction. */
export type Outline = {
  readonly types: Types;
  readonly pallets: ReadonlyMap<string, Pallet>;
  /** In order. `extra` is the type of the data that the extension adds to the transaction. */
  readonly extensions: readonly SignedExtension[];
  /** The types of an extrinsic's parts; null if the runtime does not use the SDK's `UncheckedExtrinsic`. */
  readonly extrinsic: {
    readonly address: number;
    readonly call: number;
    readonly signature: number;
  } | null;
};

const readParts = (types: Types, id: number): Outline['extrinsic'] => {
  const def = typeAt(types, id);
  if (def.kind !== 'composite' || def.name !== 'UncheckedExtrinsic') return null;
  const { Address: address, Call: call, Signature: signature } = def.params ?? {};
  return address === undefined || call === undefined || signature === undefined
    ? null
    : { address, call, signature };
};

const readHasher = (reader: Reader): Hasher => {
  const hasher = reader.u8();
  if (hasher > 6) throw new NodeError('BadScale', `Metadata: unknown hasher ${hasher}`);
  return hasher as Hasher;
};

/** The key type of a map with several hashers is a tuple with one type per hasher. */
const keysOf = (types: Types, key: number, hashers: readonly Hasher[]): readonly number[] => {
  const def = typeAt(types, key);
  const keys = hashers.length > 1 && def.kind === 'tuple' ? def.items : [key];
  if (keys.length === hashers.length) return keys;
  throw new NodeError('BadScale', `Metadata: a map has ${hashers.length} hashers and ${keys.length} keys`);
};

const readItem = (reader: Reader, types: Types): StorageItem => {
  const name = readText(reader);
  reader.u8();
  const isMap = reader.u8() === 1;
  const hashers = isMap ? reader.vec(readHasher) : [];
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

/** Null for versions other than 14. */
export const readOutline = (metadata: Uint8Array): Outline | null => {
  const reader = new Reader(metadata);
  reader.u32();
  if (reader.u8() !== 14) return null;
  const types = readTypes(reader);
  const pallets = reader.vec((from) => readPallet(from, types));
  const extrinsic = readParts(types, reader.compact());
  reader.u8();
  const extensions = reader.vec((from) => {
    const identifier = readText(from);
    const extra = from.compact();
    from.compact();
    return { identifier, extra };
  });
  return { types, pallets: new Map(pallets.map((pallet) => [pallet.name, pallet])), extensions, extrinsic };
};
