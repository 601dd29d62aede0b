import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesToKey, compareBytes, keyToBytes, startsWithBytes } from '../../../bytes/bytes.ts';
import { openTrieStore, type TrieStore } from '../../../chain/states/trie-store.ts';
import type { BlockHash } from '../../../codec/identity.ts';
import { loadCrypto } from '../../../crypto/crypto.ts';
import type { Database } from '../../../db/database.ts';
import { createMemoryDatabase } from '../../../db/memory.ts';
import { openSqliteDatabase } from '../../../db/sqlite.ts';
import { type Backend, createBackend, createEmptyBackend } from '../../../state/backend.ts';
import type { RpcParts } from '../../parts.ts';
import { createBudget, type KeyWalk, walkKeys } from './walks.ts';

const { blake2b256 } = await loadCrypto();
const kids = [Uint8Array.of(1), Uint8Array.of(2, 2)];

/** A state by its keys. Of a child, null means that there is none. */
type Model = {
  readonly main: Map<string, Uint8Array>;
  readonly children: readonly Map<string, Uint8Array>[];
};

const keys = fc
  .uint8Array({ maxLength: 5 })
  .map((bytes) => bytes.map((byte) => byte & 0x31))
  .filter(({ length }) => length > 0);
const values = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 8 }),
  fc.uint8Array({ minLength: 33, maxLength: 70 }),
);
const pairs = fc.array(fc.tuple(keys, values), { maxLength: 60 });
const model: fc.Arbitrary<Model> = fc.tuple(pairs, pairs, pairs).map(([main, ...children]) => ({
  main: new Map(main.map(([key, value]) => [bytesToKey(key), value])),
  children: children.map((list) => new Map(list.map(([key, value]) => [bytesToKey(key), value]))),
}));
const walk = fc.record({
  state: fc.constantFrom(0, 1),
  child: fc.constantFrom(null, 0, 1),
  prefix: fc.uint8Array({ maxLength: 2 }).map((bytes) => bytes.map((byte) => byte & 0x31)),
  start: fc.option(keys),
  page: fc.constantFrom(1, 2, 7, 1000),
  readsValues: fc.boolean(),
});
type Walk = {
  readonly state: 0 | 1;
  readonly child: 0 | 1 | null;
  readonly prefix: Uint8Array;
  readonly start: Uint8Array | null;
  readonly page: number;
  readonly readsValues: boolean;
};

const listOf = (map: ReadonlyMap<string, Uint8Array>): [Uint8Array, Uint8Array][] =>
  [...map]
    .map(([key, value]): [Uint8Array, Uint8Array] => [keyToBytes(key), value])
    .sort(([a], [b]) => compareBytes(a, b));

const databases: Record<string, () => Promise<Database>> = {
  'returns at once': async () => createMemoryDatabase(),
  'returns many at once': () => openSqliteDatabase(':memory:'),
  'returns late': async () => {
    const { getSync: _, ...late } = createMemoryDatabase();
    return late;
  },
};

const open = async (db: Database, cacheBytes: number) =>
  openTrieStore(db, {
    blake2b256,
    cacheBytes,
    journalBytes: 0,
    onError: (error) => {
      throw error;
    },
  });

/** Stores both states, the second as a child of the first. Returns their roots. */
const store = async (db: Database, states: readonly Model[]): Promise<Uint8Array[]> => {
  let backend: Backend = createEmptyBackend({ blake2b256, source: { getNode: () => null } });
  const roots: Uint8Array[] = [];
  let before: Model = { main: new Map(), children: [new Map(), new Map()] };
  const differences = (old: ReadonlyMap<string, Uint8Array>, now: ReadonlyMap<string, Uint8Array>) =>
    [...new Set([...old.keys(), ...now.keys()])].map(
      (key) => [keyToBytes(key), now.get(key) ?? null] as const,
    );
  for (const state of states) {
    const children = kids.map(
      (name, at) => [name, differences(before.children[at] as never, state.children[at] as never)] as const,
    );
    const { nodes, backend: next } = backend.commit(
      { main: differences(before.main, state.main), children, offchain: [] },
      1,
    );
    await db.write({ puts: nodes.map(([hash, bytes]) => ['nodes', hash, bytes] as const), deletes: [] });
    backend = next;
    roots.push(next.root);
    before = state;
  }
  return roots;
};

const chainOver = (trie: TrieStore, roots: readonly Uint8Array[]): Pick<RpcParts, 'chain'> => {
  const backends = roots.map((root) => createBackend({ blake2b256, source: trie }, root));
  const withState: RpcParts['chain']['withState'] = (at, read) =>
    trie.run(() => read(backends[Number(at)] as Backend));
  return { chain: { withState, scans: trie.scans } as RpcParts['chain'] };
};

/** All pages of a walk, each beginning after the last key of the one before. */
const pagesOf = async (
  parts: Pick<RpcParts, 'chain'>,
  { state, child, prefix, start, page, readsValues }: Walk,
): Promise<[Uint8Array, Uint8Array | null][]> => {
  const found: [Uint8Array, Uint8Array | null][] = [];
  const budget = createBudget({ maxResponseBytes: 1e9 });
  const name = child === null ? null : (kids[child] as Uint8Array);
  for (let after = start; ; ) {
    const before = found.length;
    const options: KeyWalk = {
      at: String(state) as BlockHash,
      ...(name === null ? {} : { child: name }),
      prefix,
      start: after,
      count: page,
      readsValues,
      isBorrowed: !readsValues,
    };
    const read = (backend: Backend, key: Uint8Array): [Uint8Array, Uint8Array | null] => [
      key.slice(),
      !readsValues ? null : name === null ? backend.get(key) : backend.childGet(name, key),
    ];
    await walkKeys(parts, options, budget, read, (item) => void found.push(item));
    if (found.length - before < page) return found;
    after = found.at(-1)?.[0] ?? null;
  }
};

const expected = (states: readonly Model[], { state, child, prefix, start, readsValues }: Walk) => {
  const { main, children } = states[state] as Model;
  const isChildRoot = (key: Uint8Array): boolean => bytesToKey(key).startsWith(':child');
  return listOf(child === null ? main : (children[child] as Map<string, Uint8Array>))
    .filter(([key]) => startsWithBytes(key, prefix) && (start === null || compareBytes(key, start) > 0))
    .filter(([key]) => !isChildRoot(key))
    .map(([key, value]) => [key, readsValues ? value : null]);
};

/** The roots of child tries are keys of the main trie, too. */
const ownKeys = (found: readonly [Uint8Array, Uint8Array | null][]) =>
  found.filter(([key]) => !bytesToKey(key).startsWith(':child'));

const limits = fc.constantFrom(0, 3000, 1_000_000);

describe.each(Object.entries(databases))('walks over a database that %s', (_, create) => {
  it('return the keys and values of a sorted map, page by page', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(model, model),
        limits,
        fc.array(walk, { minLength: 1, maxLength: 6 }),
        async (states, cacheBytes, walks) => {
          const db = await create();
          const roots = await store(db, states);
          const parts = chainOver(await open(db, cacheBytes), roots);
          for (const one of walks) expect(ownKeys(await pagesOf(parts, one))).toEqual(expected(states, one));
          await db.close();
        },
      ),
      { numRuns: 150 },
    );
  });

  it('never return anything else if a record is damaged or lost', async () => {
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(model, model),
        fc.array(walk, { minLength: 1, maxLength: 4 }),
        fc.nat(),
        fc.option(fc.nat()),
        async (states, walks, which, bit) => {
          const db = await create();
          const roots = await store(db, states);
          const records = await db.range('nodes');
          if (records.length === 0) return;
          const [hash, bytes] = records[which % records.length] as [Uint8Array, Uint8Array];
          if (bit === null) await db.write({ puts: [], deletes: [['nodes', hash]] });
          else {
            const at = bit % (bytes.length * 8);
            const broken = bytes.map((byte, i) => (i === at >> 3 ? byte ^ (1 << (at & 7)) : byte));
            await db.write({ puts: [['nodes', hash, broken]], deletes: [] });
          }
          const parts = chainOver(await open(db, 1_000_000), roots);
          for (const one of walks) {
            try {
              expect(ownKeys(await pagesOf(parts, one))).toEqual(expected(states, one));
            } catch (error) {
              if ((error as { code?: string }).code !== 'StorageBroken') throw error;
              refused++;
            }
          }
          await db.close();
        },
      ),
      { numRuns: 150 },
    );
    expect(refused).toBeGreaterThan(10);
  });
});
