import { NodeError } from '../../src/protocol/errors.ts';
import { bytesToKey, concatBytes, textToBytes } from '../bytes/bytes.ts';
import { bytesToHex } from '../bytes/hex.ts';
import type { Crypto } from '../crypto/crypto.ts';
import { decodeValue } from './decode.ts';
import { encodeValue } from './encode.ts';
import { findByName, isHexText, listNames, readHexText, refuseValue, showValue } from './given.ts';
import type { Hasher, Outline, Pallet, StorageItem } from './metadata.ts';
import { type Coding, describeType, oneOf } from './types.ts';

export type Hashes = Pick<Crypto, 'blake2b' | 'twox64' | 'twox128' | 'twox256' | 'blake2b128' | 'blake2b256'>;

const hashWith = (crypto: Hashes, hasher: Hasher, key: Uint8Array): Uint8Array => {
  switch (hasher) {
    case 0:
      return crypto.blake2b128(key);
    case 1:
      return crypto.blake2b256(key);
    case 2:
      return concatBytes(crypto.blake2b128(key), key);
    case 3:
      return crypto.twox128(key);
    case 4:
      return crypto.twox256(key);
    case 5:
      return concatBytes(crypto.twox64(key), key);
    case 6:
      return key;
    default:
      return hasher satisfies never;
  }
};

/** The key of a plain item, or the prefix of all keys of a map. */
export const itemPrefix = (crypto: Hashes, prefix: string, item: StorageItem): Uint8Array =>
  concatBytes(crypto.twox128(textToBytes(prefix)), crypto.twox128(textToBytes(item.name)));

export type StoragePair = readonly [key: Uint8Array, value: Uint8Array | null];

/** `{Pallet: {Item: value, Map: [[[key, …], value]], $removePrefix: ["Map"]}}`. */
export type NamedStorage = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export type EditDeps = {
  readonly crypto: Hashes;
  readonly outline: Outline;
  /** The keys of the state with this prefix. Throws `LimitReached`. */
  readonly loadKeys: (prefix: Uint8Array) => Promise<readonly Uint8Array[]>;
};

const codingOf = ({ crypto, outline: { types } }: EditDeps): Coding => ({ types, crypto });

type Named = { readonly pallet: Pallet; readonly item: StorageItem; readonly prefix: Uint8Array };

const findPallet = ({ outline }: EditDeps, name: string): Pallet => {
  const pallet = findByName(outline.pallets.values(), name);
  if (pallet !== undefined) return pallet;
  const names = listNames(outline.pallets.values());
  throw new NodeError('Unsupported', `The runtime has no pallet ${name}; there are ${names}`);
};

const findItem = ({ crypto }: EditDeps, pallet: Pallet, name: string): Named => {
  const item = findByName(pallet.items.values(), name);
  if (item !== undefined && pallet.prefix !== null)
    return { pallet, item, prefix: itemPrefix(crypto, pallet.prefix, item) };
  const names = listNames(pallet.items.values());
  throw new NodeError(
    'Unsupported',
    `The runtime has no storage item ${pallet.name}.${name}; there are ${names === '' ? 'none' : names}`,
  );
};

/** How hex that is not an encoding would be written, if its bytes or its number are meant. */
const formOf = (coding: Coding, type: number, text: string, path: string): string => {
  try {
    const meant = encodeValue(coding, type, text, path);
    return `; if its bytes or its number are meant, write ${showValue(bytesToHex(meant))}`;
  } catch (error) {
    if (error instanceof NodeError) return '; write the value as JSON, or its whole encoding as hex';
    throw error;
  }
};

/**
 * A key or a value. Hex is the SCALE encoding of the whole, as in chopsticks, and must decode to its last byte: the
 * runtime would read anything else as the default, or as another value.
 */
const readWhole = (deps: EditDeps, type: number, value: unknown, path: string): Uint8Array => {
  const coding = codingOf(deps);
  if (!isHexText(value)) return encodeValue(coding, type, value, path);
  const bytes = readHexText(value, { path });
  try {
    decodeValue(coding, type, bytes);
    return bytes;
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    const name = describeType(coding.types, type);
    const form = formOf(coding, type, value, path);
    return refuseValue(
      { path },
      `${showValue(value)} is not the SCALE encoding of ${oneOf(name)} (${error.message})${form}`,
    );
  }
};

/** Null removes the entry. */
const readValue = (deps: EditDeps, type: number, value: unknown, path: string): Uint8Array | null =>
  value === null || value === undefined ? null : readWhole(deps, type, value, path);

const entryKey = (deps: EditDeps, { item, prefix }: Named, keys: unknown, path: string): Uint8Array => {
  if (!Array.isArray(keys))
    return refuseValue(
      { path },
      `${showValue(keys)} is no list: the keys of an entry stand in one, as in [key]`,
    );
  if (keys.length !== item.hashers.length)
    refuseValue(
      { path },
      `the map has ${item.hashers.length} ${item.hashers.length === 1 ? 'key' : 'keys'}, not ${keys.length}`,
    );
  const parts = item.hashers.map((hasher, index) =>
    hashWith(
      deps.crypto,
      hasher,
      readWhole(deps, item.keys[index] as number, keys[index], `${path}[${index}]`),
    ),
  );
  return concatBytes(prefix, ...parts);
};

const readItem = (deps: EditDeps, named: Named, content: unknown, path: string): StoragePair[] => {
  const { item, prefix } = named;
  if (item.hashers.length === 0) return [[prefix, readValue(deps, item.value, content, path)]];
  if (!Array.isArray(content))
    return refuseValue({ path }, 'a map is written as a list of [[key, …], value]');
  return content.map((entry: unknown, index) => {
    const at = `${path}[${index}]`;
    if (!Array.isArray(entry) || entry.length !== 2)
      return refuseValue({ path: at }, `${showValue(entry)} is not [[key, …], value]`);
    const [keys, value] = entry as unknown[];
    return [entryKey(deps, named, keys, `${at}[0]`), readValue(deps, item.value, value, `${at}[1]`)] as const;
  });
};

const removeItems = async (deps: EditDeps, pallet: Pallet, names: unknown): Promise<StoragePair[]> => {
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string'))
    return refuseValue({ path: `${pallet.name}.$removePrefix` }, `${showValue(names)} is no list of names`);
  const pairs: StoragePair[] = [];
  for (const name of names)
    for (const key of await deps.loadKeys(findItem(deps, pallet, name).prefix)) pairs.push([key, null]);
  return pairs;
};

/** If a key is changed several times, the last change wins. */
export const lastOfEach = (pairs: readonly StoragePair[]): StoragePair[] => [
  ...new Map(pairs.map((pair) => [bytesToKey(pair[0]), pair])).values(),
];

/**
 * Resolves storage given by name to keys and values, in input order. Throws `Unsupported` for a name that the
 * runtime does not have, `BadValue` for a key or value that does not fit its type.
 */
export const readNamedStorage = async (deps: EditDeps, storage: NamedStorage): Promise<StoragePair[]> => {
  const pairs: StoragePair[] = [];
  for (const [palletName, items] of Object.entries(storage)) {
    const pallet = findPallet(deps, palletName);
    for (const [name, content] of Object.entries(items)) {
      const changed =
        name === '$removePrefix'
          ? await removeItems(deps, pallet, content)
          : readItem(deps, findItem(deps, pallet, name), content, `${palletName}.${name}`);
      // There may be too many to spread as arguments.
      for (const pair of changed) pairs.push(pair);
    }
  }
  return pairs;
};
