import {
  Blake2128,
  Blake2128Concat,
  Blake2256,
  Identity,
  Twox64Concat,
  Twox128,
  Twox256,
} from '@polkadot-api/substrate-bindings';
import { createCursor, takeBytes, takeEnd } from './cursor.ts';
import { decodeAt, decodeValue } from './decode.ts';
import { encodeJson } from './encode.ts';
import { docsText } from './entries.ts';
import { fromHex, joinBytes, toHex } from './hex.ts';
import type { Decoded, Json, Meaning, RuntimeMeta, StorageItemMeta } from './types.ts';

type Hasher = {
  readonly hash: (bytes: Uint8Array) => Uint8Array;
  readonly size: number;
  readonly isOpen: boolean;
};

/** Layout of a key part: `size` bytes of hash, followed by the key itself if `isOpen`. */
const hashers: Readonly<Record<string, Hasher>> = {
  Blake2128: { hash: Blake2128, size: 16, isOpen: false },
  Blake2256: { hash: Blake2256, size: 32, isOpen: false },
  Blake2128Concat: { hash: Blake2128Concat, size: 16, isOpen: true },
  Twox128: { hash: Twox128, size: 16, isOpen: false },
  Twox256: { hash: Twox256, size: 32, isOpen: false },
  Twox64Concat: { hash: Twox64Concat, size: 8, isOpen: true },
  Identity: { hash: Identity, size: 0, isOpen: true },
};

/** One key of a storage map: its type and hasher. */
export type KeyPart = { readonly type: number; readonly hasher: string; readonly name: string };

/** One storage entry of a pallet. */
export type StorageEntry = {
  readonly pallet: string;
  readonly name: string;
  readonly docs: string;
  /** Type id of the value. */
  readonly value: number;
  /** Empty for a plain value. */
  readonly keys: readonly KeyPart[];
  /** The first 32 bytes of each of the entry's keys, as a 0x string. */
  readonly prefix: string;
  /** Default for a missing value, as a 0x string; null if the entry is optional. */
  readonly fallback: string | null;
  /** What the value means, if its type does not tell. */
  readonly meaning: Meaning | null;
};

const text = new TextEncoder();

/** Twox128 of the pallet's storage prefix, followed by Twox128 of the entry's name. */
export const entryPrefix = (palletPrefix: string, name: string): string =>
  toHex(joinBytes(Twox128(text.encode(palletPrefix)), Twox128(text.encode(name))));

const keyParts = (meta: RuntimeMeta, type: StorageItemMeta['type']): readonly KeyPart[] => {
  if (type.tag === 'plain') return [];
  const { key, hashers: list } = type.value;
  const one = (id: number, index: number): KeyPart => ({
    type: id,
    hasher: list[index]?.tag ?? 'Identity',
    name: meta.typeName(id),
  });
  if (list.length === 1) return [one(key, 0)];
  const { def } = meta.metadata.lookup[key] ?? {};
  // A tuple of keys, one per hasher (frame-metadata, StorageEntryType::Map).
  if (def?.tag === 'tuple') return def.value.map(one);
  if (def?.tag === 'array') return list.map((_, index) => one(def.value.type, index));
  return [one(key, 0)];
};

/** A runtime's storage prefixes, hashed only once, because keys are explained for every row of a list. */
type StorageIndex = {
  /** Pallets by the hash of their storage prefix, as a 0x string. */
  readonly pallets: ReadonlyMap<string, string>;
  /** Entries by pallet, filled on demand. */
  readonly entries: Map<string, readonly StorageEntry[]>;
};

const indexes = new WeakMap<RuntimeMeta, StorageIndex>();

const indexOf = (meta: RuntimeMeta): StorageIndex => {
  const known = indexes.get(meta);
  if (known !== undefined) return known;
  const pallets = meta.metadata.pallets.flatMap(({ name, storage }) =>
    storage === undefined ? [] : [[toHex(Twox128(text.encode(storage.prefix))), name] as const],
  );
  const index = { pallets: new Map(pallets), entries: new Map() };
  indexes.set(meta, index);
  return index;
};

const readEntries = (meta: RuntimeMeta, pallet: string): readonly StorageEntry[] => {
  const storage = meta.pallet(pallet)?.storage;
  return (storage?.items ?? []).map((item) => ({
    pallet,
    name: item.name,
    docs: docsText(item.docs),
    value: item.type.tag === 'plain' ? item.type.value : item.type.value.value,
    keys: keyParts(meta, item.type),
    prefix: entryPrefix(storage?.prefix ?? pallet, item.name),
    fallback: item.modifier === 1 ? item.fallback : null,
    meaning: meta.entryMeaning(pallet, item.name),
  }));
};

/** The storage entries of a pallet, in metadata order. */
export const storageEntries = (meta: RuntimeMeta, pallet: string): readonly StorageEntry[] => {
  const { entries } = indexOf(meta);
  const known = entries.get(pallet) ?? readEntries(meta, pallet);
  entries.set(pallet, known);
  return known;
};

export const storageEntry = (meta: RuntimeMeta, pallet: string, name: string): StorageEntry | null =>
  storageEntries(meta, pallet).find((entry) => entry.name === name) ?? null;

/** One encoded map key as part of a storage key. */
export const hashKey = ({ hasher }: KeyPart, encoded: Uint8Array): Uint8Array =>
  (hashers[hasher] ?? (hashers['Identity'] as Hasher)).hash(encoded);

/** The storage key of the given map keys; if only the first are given, a prefix. Throws EncodeFault. */
export const encodeKey = (meta: RuntimeMeta, entry: StorageEntry, keys: readonly Json[]): string =>
  toHex(
    joinBytes(
      fromHex(entry.prefix),
      ...entry.keys
        .slice(0, keys.length)
        .map((part, index) => hashKey(part, encodeJson(meta, part.type, keys[index] ?? null))),
    ),
  );

/** One map key decoded from a storage key: its value, or only its hash if the hasher is not reversible. */
export type KeyReading =
  | { readonly kind: 'value'; readonly value: Decoded }
  | { readonly kind: 'hash'; readonly hash: string };

/** Decodes the map keys of a full storage key; throws DecodeFault, also for bytes after them if `isWhole`. */
export const decodeKey = (
  meta: RuntimeMeta,
  entry: StorageEntry,
  key: string,
  isWhole = false,
): readonly KeyReading[] => {
  const cursor = createCursor(fromHex(key), (entry.prefix.length - 2) / 2);
  const readings = entry.keys.map((part): KeyReading => {
    const hasher = hashers[part.hasher] ?? (hashers['Identity'] as Hasher);
    const hash = takeBytes(cursor, hasher.size);
    return hasher.isOpen
      ? { kind: 'value', value: decodeAt(meta, part.type, cursor) }
      : { kind: 'hash', hash: toHex(hash) };
  });
  if (isWhole) takeEnd(cursor);
  return readings;
};

/** Decodes a stored value; if it is missing, the default, or null if the entry is optional. */
export const decodeStored = (
  meta: RuntimeMeta,
  entry: StorageEntry,
  value: string | null,
): { readonly value: Decoded; readonly bytes: Uint8Array; readonly isDefault: boolean } | null => {
  const hex = value ?? entry.fallback;
  if (hex === null) return null;
  const bytes = fromHex(hex);
  const { value: type, meaning } = entry;
  return { value: decodeValue(meta, type, bytes, { meaning }), bytes, isDefault: value === null };
};

/** Keys outside any pallet (sp_core::storage::well_known_keys), with descriptions of their values. */
export const wellKnownKeys: readonly {
  readonly key: string;
  readonly name: string;
  readonly docs: string;
}[] = [
  { name: ':code', docs: 'The runtime: WebAssembly, often compressed.' },
  { name: ':heappages', docs: 'Pages of Wasm memory for the runtime, u64.' },
  { name: ':extrinsic_index', docs: 'The extrinsic that is being applied, u32.' },
  { name: ':grandpa_authorities', docs: 'The authority list of GRANDPA, until 2021.' },
  { name: ':intrablock_entropy', docs: 'Changes inside a block.' },
  { name: ':child_storage:default:', docs: 'Roots of the child tries.' },
].map(({ name, docs }) => ({ key: toHex(text.encode(name)), name, docs }));

/** The meaning of a storage key. */
export type KeyMeaning =
  | { readonly kind: 'entry'; readonly entry: StorageEntry; readonly keys: readonly KeyReading[] }
  | { readonly kind: 'pallet'; readonly pallet: string }
  | { readonly kind: 'known'; readonly name: string; readonly docs: string }
  | { readonly kind: 'child'; readonly id: string }
  | { readonly kind: 'unknown' };

/** Length of a pallet's hash as a 0x string: the prefix and 16 bytes. */
const palletDigits = 34;
const childPrefix = toHex(text.encode(':child_storage:default:'));

/** Explains any storage key (0x string); `keys` is empty if the map keys cannot be decoded. */
export const explainKey = (meta: RuntimeMeta, key: string): KeyMeaning => {
  if (key.startsWith(childPrefix) && key.length > childPrefix.length)
    return { kind: 'child', id: `0x${key.slice(childPrefix.length)}` };
  const known = wellKnownKeys.find((one) => one.key === key);
  if (known) return { kind: 'known', name: known.name, docs: known.docs };
  const pallet = indexOf(meta).pallets.get(key.slice(0, palletDigits));
  if (pallet === undefined) return { kind: 'unknown' };
  const entry = storageEntries(meta, pallet).find(({ prefix }) => key.startsWith(prefix));
  if (entry === undefined) return { kind: 'pallet', pallet };
  return { kind: 'entry', entry, keys: readKeys(meta, entry, key) };
};

const readKeys = (meta: RuntimeMeta, entry: StorageEntry, key: string): readonly KeyReading[] => {
  try {
    return decodeKey(meta, entry, key);
  } catch {
    return [];
  }
};
