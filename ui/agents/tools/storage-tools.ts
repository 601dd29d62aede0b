import { NodeError } from '../../../src/protocol/errors.ts';
import { decodedToJson } from '../../../src/scale/json.ts';
import {
  decodeKey,
  decodeStored,
  encodeKey,
  type KeyReading,
  type StorageEntry,
} from '../../../src/scale/storage.ts';
import type { Json, RuntimeMeta } from '../../../src/scale/types.ts';
import { readAccounts } from './accounts.ts';
import { type BlockAt, findBlock } from './blocks.ts';
import { at, cursor, limit, pallet } from './fields.ts';
import { needEntry } from './names.ts';
import { described, json, list, text, withDefault } from './schema.ts';
import { type Context, cutLong, tool } from './tool.ts';

export const keyJson = (key: KeyReading): unknown =>
  key.kind === 'value' ? cutLong(decodedToJson(key.value)) : { hash: key.hash };

/** A stored value; bytes that do not decode are returned as they are. */
export const storedJson = (meta: RuntimeMeta, entry: StorageEntry, value: string | null) => {
  try {
    const stored = decodeStored(meta, entry, value);
    return stored === null
      ? { value: null }
      : { value: cutLong(decodedToJson(stored.value)), ...(stored.isDefault ? { isDefault: true } : {}) };
  } catch (fault) {
    return { unreadable: fault instanceof Error ? fault.message : String(fault), bytes: cutLong(value) };
  }
};

const readKeys = async (
  meta: RuntimeMeta,
  entry: StorageEntry,
  keys: readonly Json[],
): Promise<readonly Json[]> => {
  if (keys.length > entry.keys.length)
    throw new NodeError(
      'BadValue',
      `${entry.pallet}.${entry.name} takes ${entry.keys.length} keys, not ${keys.length}`,
    );
  return Promise.all(
    keys.map((key, index) => readAccounts(meta, meta.lookup(entry.keys[index]?.type ?? 0), key)),
  );
};

/** A cursor includes the block, because a page read at another block could skip entries. */
const readCursor = (text: string): readonly [hash: string, key: string] => {
  const [hash = '', key = ''] = text.split(':');
  if (!/^0x[0-9a-f]{64}$/.test(hash) || !/^0x([0-9a-f]{2})+$/.test(key))
    throw new NodeError('BadValue', `cursor "${text}": pass the "more" of an earlier result`);
  return [hash, key];
};

const readMap = async (
  { request }: Context,
  meta: RuntimeMeta,
  entry: StorageEntry,
  block: BlockAt,
  [prefix, count, after]: readonly [prefix: string, count: number, after: string | null],
) => {
  const keys = (await request('state_getKeysPaged', [prefix, count, after, block.hash])) as readonly string[];
  const last = keys.at(-1);
  const [changeSet] = (
    keys.length === 0 ? [] : await request('state_queryStorageAt', [keys, block.hash])
  ) as readonly { readonly changes: readonly (readonly [string, string | null])[] }[];
  const values = new Map(changeSet?.changes ?? []);
  return {
    block,
    entries: keys.map((key) => ({
      keys: decodeKey(meta, entry, key).map(keyJson),
      ...storedJson(meta, entry, values.get(key) ?? null),
    })),
    ...(last !== undefined && keys.length === count ? { more: `${block.hash}:${last}` } : {}),
  };
};

const readStorage = tool({
  name: 'read_storage',
  title: 'Read storage',
  description:
    'Reads storage and decodes it with the metadata of the runtime that executed the block: one value if all keys of the entry are given (none for a plain value), else a page of the map, or of its entries that start with the given keys. list_metadata with kind "storage" lists the keys. Long lists and texts are truncated.',
  input: {
    pallet: pallet(),
    entry: described(text(), 'Storage entry, such as Account of System.'),
    keys: described(
      withDefault(list(json()), []),
      'Keys of a map in order; accounts as addresses or names such as Alice.',
    ),
    at: at(),
    limit: limit(20, 100),
    cursor: cursor(),
  },
  run: async (context, args) => {
    const [hash, after] = args.cursor === undefined ? [args.at, null] : readCursor(args.cursor);
    const block = await findBlock(context, hash);
    const meta = await context.meta.of(block.hash);
    const entry = needEntry(meta, args.pallet, args.entry);
    const keys = await readKeys(meta, entry, args.keys);
    const key = encodeKey(meta, entry, keys);
    const summary = { entry: `${entry.pallet}.${entry.name}`, type: meta.typeName(entry.value) };
    if (keys.length < entry.keys.length)
      return {
        ...summary,
        ...(await readMap(context, meta, entry, block, [key, args.limit, after])),
      };
    const value = (await context.request('state_getStorage', [key, block.hash])) as string | null;
    return { ...summary, block, key, ...storedJson(meta, entry, value) };
  },
});

export const storageTools = [readStorage];
