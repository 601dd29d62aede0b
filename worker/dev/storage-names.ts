import { NodeError } from '../../src/protocol/errors.ts';
import { DecodeFault, faultText } from '../../src/scale/cursor.ts';
import { decodeValue } from '../../src/scale/decode.ts';
import { EncodeFault } from '../../src/scale/encode.ts';
import { encodeGiven } from '../../src/scale/given/given.ts';
import {
  findByName,
  isHexText,
  listNames,
  readHexText,
  refuseValue,
  showValue,
} from '../../src/scale/given/leaves.ts';
import { fromHex } from '../../src/scale/hex.ts';
import { describeEntry, oneOf } from '../../src/scale/names.ts';
import { hashKey, type StorageEntry, storageEntries } from '../../src/scale/storage.ts';
import type { LookupEntry, PalletMeta, RuntimeMeta } from '../../src/scale/types.ts';
import { bytesToKey, concatBytes } from '../bytes/bytes.ts';
import { bytesToHex } from '../bytes/hex.ts';
import { withNodeErrors } from './metadata.ts';

export type StoragePair = readonly [key: Uint8Array, value: Uint8Array | null];

/** `{Pallet: {Item: value, Map: [[[key, …], value]], $removePrefix: ["Map"]}}`. */
export type NamedStorage = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export type EditDeps = {
  readonly meta: RuntimeMeta;
  /** The keys of the state with this prefix. Throws `LimitReached`. */
  readonly loadKeys: (prefix: Uint8Array) => Promise<readonly Uint8Array[]>;
};

const findPallet = ({ metadata: { pallets } }: RuntimeMeta, name: string): PalletMeta => {
  const pallet = findByName(pallets, name);
  if (pallet !== undefined) return pallet;
  throw new NodeError('Unsupported', `The runtime has no pallet ${name}; there are ${listNames(pallets)}`);
};

const findItem = (meta: RuntimeMeta, pallet: PalletMeta, name: string): StorageEntry => {
  const entries = storageEntries(meta, pallet.name);
  const item = findByName(entries, name);
  if (item !== undefined) return item;
  const names = entries.length === 0 ? 'none' : listNames(entries);
  throw new NodeError(
    'Unsupported',
    `The runtime has no storage item ${pallet.name}.${name}; there are ${names}`,
  );
};

/** How hex that is not an encoding would be written, if its bytes or its number are meant. */
const formOf = (meta: RuntimeMeta, type: number, text: string, path: string): string => {
  try {
    const meant = encodeGiven(meta, type, text, path);
    return `; if its bytes or its number are meant, write ${showValue(bytesToHex(meant))}`;
  } catch (fault) {
    if (fault instanceof EncodeFault) return '; write the value as JSON, or its whole encoding as hex';
    throw fault;
  }
};

/** As many parts as a value that is not given as hex. */
const parts = 1_000_000;

/**
 * A key or a value. Hex is the SCALE encoding of the whole, as in chopsticks, and must decode to its last byte: the
 * runtime would read anything else as the default, or as another value.
 */
const readWhole = (meta: RuntimeMeta, type: number, value: unknown, path: string): Uint8Array => {
  if (!isHexText(value)) return encodeGiven(meta, type, value, path);
  const bytes = readHexText(value, { path });
  try {
    decodeValue(meta, type, bytes, { parts });
    return bytes;
  } catch (fault) {
    const name = oneOf(describeEntry(meta.lookup(type)));
    const form = formOf(meta, type, value, path);
    const why = fault instanceof DecodeFault ? faultText(fault) : String(fault);
    return refuseValue({ path }, `${showValue(value)} is not the SCALE encoding of ${name} (${why})${form}`);
  }
};

/** Null removes the entry. */
const readValue = (meta: RuntimeMeta, type: number, value: unknown, path: string): Uint8Array | null =>
  value === null || value === undefined ? null : readWhole(meta, type, value, path);

/** Types of which null is a value: `Option`, and those without contents. */
const mayBeNothing = ({ type }: LookupEntry): boolean => type === 'option' || type === 'void';

const entryKey = (meta: RuntimeMeta, item: StorageEntry, keys: unknown, path: string): Uint8Array => {
  if (!Array.isArray(keys))
    return refuseValue(
      { path },
      `${showValue(keys)} is no list: the keys of an entry are in a list of their own, as in [key]`,
    );
  const { length } = item.keys;
  if (keys.length !== length)
    refuseValue({ path }, `the map has ${length} ${length === 1 ? 'key' : 'keys'}, not ${keys.length}`);
  const encoded = item.keys.map((part, index) => {
    const at = `${path}[${index}]`;
    const key: unknown = keys[index];
    // Elsewhere it stands for the default of the type, such as the account of 32 zeros, which nobody means here.
    if ((key === null || key === undefined) && !mayBeNothing(meta.lookup(part.type)))
      refuseValue({ path: at }, 'there is no key: write it in place of null');
    return hashKey(part, readWhole(meta, part.type, key, at));
  });
  return concatBytes(fromHex(item.prefix), ...encoded);
};

const readItem = (meta: RuntimeMeta, item: StorageEntry, content: unknown, path: string): StoragePair[] => {
  if (item.keys.length === 0) return [[fromHex(item.prefix), readValue(meta, item.value, content, path)]];
  if (!Array.isArray(content))
    return refuseValue({ path }, 'a map is written as a list of [[key, …], value]');
  return content.map((entry: unknown, index) => {
    const at = `${path}[${index}]`;
    if (!Array.isArray(entry) || entry.length !== 2)
      return refuseValue({ path: at }, `${showValue(entry)} is not [[key, …], value]`);
    const [keys, value] = entry as unknown[];
    return [entryKey(meta, item, keys, `${at}[0]`), readValue(meta, item.value, value, `${at}[1]`)] as const;
  });
};

const removeItems = async (
  { meta, loadKeys }: EditDeps,
  pallet: PalletMeta,
  names: unknown,
): Promise<StoragePair[]> => {
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string'))
    throw new NodeError('BadValue', `${pallet.name}.$removePrefix: ${showValue(names)} is no list of names`);
  const pairs: StoragePair[] = [];
  for (const name of names)
    for (const key of await loadKeys(fromHex(findItem(meta, pallet, name).prefix))) pairs.push([key, null]);
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
    const pallet = findPallet(deps.meta, palletName);
    for (const [name, content] of Object.entries(items)) {
      const changed =
        name === '$removePrefix'
          ? await removeItems(deps, pallet, content)
          : withNodeErrors(() =>
              readItem(deps.meta, findItem(deps.meta, pallet, name), content, `${palletName}.${name}`),
            );
      // There may be too many to spread as arguments.
      for (const pair of changed) pairs.push(pair);
    }
  }
  return pairs;
};
