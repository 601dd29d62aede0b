import { NodeError } from '../../src/protocol/errors.ts';
import { bytesToHex } from '../bytes/hex.ts';
import { Reader } from '../bytes/reader.ts';
import { decodeValue, readValue, type Shown } from './decode.ts';
import type { Hasher, Outline, StorageItem } from './metadata.ts';
import { type Hashes, itemPrefix, type StoragePair } from './storage-names.ts';
import type { Coding } from './types.ts';

type Named = { readonly pallet: string; readonly item: StorageItem };
type Tree = Map<string, Tree | Shown>;

const prefixLength = 32;

/** Length of a hasher's output, and whether the key itself follows. */
const forms: Readonly<Record<Hasher, readonly [length: number, hasKey: boolean]>> = {
  0: [16, false],
  1: [32, false],
  2: [16, true],
  3: [16, false],
  4: [32, false],
  5: [8, true],
  6: [0, true],
};

const itemsByPrefix = (crypto: Hashes, { pallets }: Outline): ReadonlyMap<string, Named> => {
  const known = new Map<string, Named>();
  for (const { name, prefix, items } of pallets.values())
    for (const item of items.values())
      if (prefix !== null) known.set(bytesToHex(itemPrefix(crypto, prefix, item)), { pallet: name, item });
  return known;
};

const orNull = <T>(read: () => T): T | null => {
  try {
    return read();
  } catch (error) {
    if (error instanceof NodeError && error.code === 'BadScale') return null;
    throw error;
  }
};

const keyText = (shown: Shown): string => (typeof shown === 'string' ? shown : JSON.stringify(shown));

/** The keys of a map entry as text. Where only the hash is stored, it is shown instead. */
const readKeys = (coding: Coding, item: StorageItem, rest: Uint8Array, ss58Prefix: number): string[] => {
  const reader = new Reader(rest);
  const keys = item.hashers.map((hasher, index) => {
    const [length, hasKey] = forms[hasher];
    const hash = reader.take(length);
    return hasKey
      ? keyText(readValue(coding, item.keys[index] as number, reader, ss58Prefix))
      : bytesToHex(hash);
  });
  reader.end();
  return keys;
};

/** With a lower-case first letter, as polkadot-js spells pallets and storage items. */
const toLower = (name: string): string => name.slice(0, 1).toLowerCase() + name.slice(1);

const toObject = (tree: Tree): Record<string, Shown> =>
  Object.fromEntries(
    [...tree].map(([name, value]) => [name, value instanceof Map ? toObject(value) : value]),
  );

const put = (tree: Tree, path: readonly string[], value: Shown): void => {
  const [name = '', ...rest] = path;
  if (rest.length === 0) {
    tree.set(name, value);
    return;
  }
  const known = tree.get(name);
  const below: Tree = known instanceof Map ? known : new Map();
  tree.set(name, below);
  put(below, rest, value);
};

/**
 * Storage as nested objects, `{pallet: {item: {key: value}}}`; null for missing values. Entries that the
 * metadata does not describe are listed under their full key.
 */
export const nameState = (
  {
    crypto,
    outline,
    ss58Prefix,
  }: { readonly crypto: Hashes; readonly outline: Outline; readonly ss58Prefix: number },
  pairs: readonly StoragePair[],
): Record<string, Shown> => {
  const known = itemsByPrefix(crypto, outline);
  const coding: Coding = { types: outline.types, crypto };
  const tree: Tree = new Map();
  for (const [key, value] of pairs) {
    const named = known.get(bytesToHex(key.subarray(0, prefixLength)));
    const keys =
      named === undefined
        ? null
        : orNull(() => readKeys(coding, named.item, key.subarray(prefixLength), ss58Prefix));
    const raw = value === null ? null : bytesToHex(value);
    if (named === undefined || keys === null) {
      put(tree, [bytesToHex(key)], raw);
      continue;
    }
    const shown =
      value === null ? null : (orNull(() => decodeValue(coding, named.item.value, value, ss58Prefix)) ?? raw);
    put(tree, [toLower(named.pallet), toLower(named.item.name), ...keys], shown);
  }
  return toObject(tree);
};
