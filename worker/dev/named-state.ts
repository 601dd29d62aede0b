import { orNull } from '../../src/scale/cursor.ts';
import { toHex } from '../../src/scale/hex.ts';
import { decodedToPolkadotJs } from '../../src/scale/json.ts';
import { decodeKey, decodeStored, explainKey, type KeyReading } from '../../src/scale/storage.ts';
import type { Json, RuntimeMeta } from '../../src/scale/types.ts';
import type { StoragePair } from './storage-names.ts';

type Tree = Map<string, Tree | Json>;

/** A key of a map as text. Where only the hash is stored, it is shown instead. */
const keyText = (key: KeyReading): string => {
  if (key.kind === 'hash') return key.hash;
  const json = decodedToPolkadotJs(key.value);
  return typeof json === 'string' ? json : JSON.stringify(json);
};

/** With a lower-case first letter, as polkadot-js spells pallets and storage items. */
const toLower = (name: string): string => name.slice(0, 1).toLowerCase() + name.slice(1);

const toObject = (tree: Tree): Record<string, Json> =>
  Object.fromEntries(
    [...tree].map(([name, value]) => [name, value instanceof Map ? toObject(value) : value]),
  );

const put = (tree: Tree, path: readonly string[], value: Json): void => {
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
 * Storage as nested objects, `{pallet: {item: {key: value}}}`, in the form of polkadot-js; null for missing values.
 * Entries that the metadata does not describe are listed under their full key.
 */
export const nameState = (meta: RuntimeMeta, pairs: readonly StoragePair[]): Record<string, Json> => {
  const tree: Tree = new Map();
  for (const [key, value] of pairs) {
    const hex = toHex(key);
    const raw = value === null ? null : toHex(value);
    const meaning = explainKey(meta, hex);
    const entry = meaning.kind === 'entry' ? meaning.entry : null;
    const keys = entry === null ? null : orNull(() => decodeKey(meta, entry, hex, true));
    if (entry === null || keys === null) {
      put(tree, [hex], raw);
      continue;
    }
    const stored = raw === null ? null : orNull(() => decodeStored(meta, entry, raw));
    const shown = stored === null ? raw : decodedToPolkadotJs(stored.value);
    put(tree, [toLower(entry.pallet), toLower(entry.name), ...keys.map(keyText)], shown);
  }
  return toObject(tree);
};
