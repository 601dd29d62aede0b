import { EncodeFault } from '../../src/scale/encode.ts';
import { encodeGiven } from '../../src/scale/given/given.ts';
import { findByName, listNames } from '../../src/scale/given/leaves.ts';
import { fromHex, joinBytes, toHex } from '../../src/scale/hex.ts';
import { createRuntimeMeta } from '../../src/scale/runtime.ts';
import { hashKey, type StorageEntry, storageEntries } from '../../src/scale/storage.ts';
import type { PalletMeta, RuntimeMeta } from '../../src/scale/types.ts';
import { bad } from '../cli/arguments.ts';
import { nearestName } from '../cli/nearest-name.ts';
import type { Request } from './request.ts';

/** A part of the state: a key prefix, or a pallet, or an item of it, of which the first map keys may be given. */
export type Item =
  | { readonly kind: 'prefix'; readonly prefix: string }
  | {
      readonly kind: 'name';
      readonly pallet: string;
      readonly item: string | null;
      readonly keys: readonly unknown[];
    };

const named = (pallet: string, item: string | null, keys: readonly unknown[]): Item => ({
  kind: 'name',
  pallet,
  item,
  keys,
});

const readText = (text: string, keys: readonly unknown[] = []): Item | null => {
  if (/^0x/i.test(text))
    return /^0x([0-9a-f]{2})*$/i.test(text) ? { kind: 'prefix', prefix: text.toLowerCase() } : null;
  const [pallet = '', item = null, ...more] = text.split('.');
  return pallet === '' || item === '' || more.length > 0 ? null : named(pallet, item, keys);
};

/** `{Pallet: Item}`, `{Pallet: {Item: [key, …]}}` or `{"Pallet.Item": [key, …]}`. */
const readObject = (value: object): Item | null => {
  const [[name, content] = ['', null], ...more] = Object.entries(value) as [string, unknown][];
  if (more.length > 0) return null;
  if (typeof content === 'string') return named(name, content, []);
  if (Array.isArray(content)) return name.includes('.') ? readText(name, content as unknown[]) : null;
  if (typeof content !== 'object' || content === null) return null;
  const [[item, keys] = ['', null], ...others] = Object.entries(content) as [string, unknown][];
  return others.length > 0 || !Array.isArray(keys) ? null : named(name, item, keys as unknown[]);
};

/** The forms of chopsticks (packages/chopsticks/src/utils/fetch-storages.ts). Throws `BadConfig`. */
export const readItems = (given: readonly unknown[], where: string): readonly Item[] =>
  given.map((value) => {
    const found =
      typeof value === 'string'
        ? readText(value)
        : typeof value === 'object' && value !== null
          ? readObject(value)
          : null;
    if (found !== null) return found;
    throw bad(
      `${where}: ${JSON.stringify(value)} is no part of a state; write a prefix (0x…), Pallet, Pallet.Item, or "Pallet.Item": [key]`,
    );
  });

const didYouMean = (name: string, known: readonly { readonly name: string }[]): string => {
  const nearest = nearestName(
    name,
    known.map((one) => one.name),
  );
  return nearest === null ? '' : ` (did you mean ${nearest}?)`;
};

const findPallet = ({ metadata: { pallets } }: RuntimeMeta, name: string): PalletMeta => {
  const pallet = findByName(pallets, name);
  if (pallet !== undefined) return pallet;
  const meant = didYouMean(name, pallets);
  throw bad(`The runtime has no pallet ${name}${meant}; there are ${listNames(pallets)}`);
};

const findItem = (entries: readonly StorageEntry[], pallet: string, name: string): StorageEntry => {
  const entry = findByName(entries, name);
  if (entry !== undefined) return entry;
  const names = entries.length === 0 ? 'none' : listNames(entries);
  throw bad(`The runtime has no storage item ${pallet}.${name}; there are ${names}`);
};

const encodeKeys = (meta: RuntimeMeta, entry: StorageEntry, keys: readonly unknown[]): Uint8Array[] => {
  try {
    return entry.keys
      .slice(0, keys.length)
      .map((part, index) =>
        hashKey(part, encodeGiven(meta, part.type, keys[index], `${entry.pallet}.${entry.name}[${index}]`)),
      );
  } catch (fault) {
    if (fault instanceof EncodeFault) throw bad(fault.message, fault);
    throw fault;
  }
};

/** Length of a pallet's hash as a 0x string. */
const palletDigits = 34;

const prefixOf = (meta: RuntimeMeta, item: Item): string => {
  if (item.kind === 'prefix') return item.prefix;
  const pallet = findPallet(meta, item.pallet);
  const entries = storageEntries(meta, pallet.name);
  if (item.item === null) {
    const [first] = entries;
    if (first === undefined) throw bad(`${pallet.name} has no storage`);
    return first.prefix.slice(0, palletDigits);
  }
  const entry = findItem(entries, pallet.name, item.item);
  if (item.keys.length > entry.keys.length)
    throw bad(`${pallet.name}.${entry.name} has ${entry.keys.length} keys, not ${item.keys.length}`);
  return toHex(joinBytes(fromHex(entry.prefix), ...encodeKeys(meta, entry, item.keys)));
};

/** Without those that another one covers, in order. */
const distinct = (prefixes: readonly string[]): readonly string[] => {
  const kept: string[] = [];
  for (const one of [...prefixes].sort()) if (!one.startsWith(kept.at(-1) ?? ' ')) kept.push(one);
  return kept;
};

/** As many keys as a node lists at once (sc-rpc, STORAGE_KEYS_PAGED_MAX_COUNT). */
const pageLength = 1000;

/**
 * Reads parts of the best block's state, values included: a fork stores what it has read. Returns the number of values.
 * Throws `BadConfig` for a name or key that does not fit the runtime, and the errors of endpoints.
 */
export const fetchStorages = async (
  request: Request,
  items: readonly Item[],
  onRead: (values: number) => void,
): Promise<number> => {
  const isByName = items.some(({ kind }) => kind === 'name');
  const metadata = isByName ? fromHex(String(await request('state_getMetadata', []))) : null;
  const meta = metadata === null ? null : createRuntimeMeta(metadata);
  const prefixes = items.map((item) =>
    item.kind === 'prefix' ? item.prefix : prefixOf(meta as RuntimeMeta, item),
  );
  const at = await request('chain_getBlockHash', []);
  let count = 0;
  for (const prefix of distinct(prefixes)) {
    let start: string | null = null;
    do {
      const keys = (await request('state_getKeysPaged', [prefix, pageLength, start, at])) as string[];
      if (keys.length > 0) await request('state_queryStorageAt', [keys, at]);
      count += keys.length;
      onRead(count);
      start = keys.length < pageLength ? null : (keys.at(-1) ?? null);
    } while (start !== null);
  }
  return count;
};
