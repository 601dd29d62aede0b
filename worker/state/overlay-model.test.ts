import { blake2b } from '@noble/hashes/blake2.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareBytes, concatBytes, noBytes, startsWithBytes, textToBytes } from '../bytes/bytes.ts';
import { bytesToHex, hexToBytes } from '../bytes/hex.ts';
import { Reader } from '../bytes/reader.ts';
import { Writer } from '../bytes/writer.ts';
import { MissingNodes } from '../trie/missing-nodes.ts';
import { createNodeMap, type NodeMap } from '../trie/node-source.ts';
import { trieRoot } from '../trie/ordered-root.ts';
import { type Backend, childKey, createBackend, createEmptyBackend } from './backend.ts';
import { createOverlay, type Overlay, type Removal } from './overlay.ts';

const blake2b256 = (data: Uint8Array): Uint8Array => blake2b(data, { dkLen: 32 });
const version = 1;

/** A plain state: tries by name ('' = main), copied for each transaction. Values by hex key. */
type Tries = Map<string, Map<string, Uint8Array>>;
/** Written values in the same structure; null = deleted. */
type Writes = Map<string, Map<string, Uint8Array | null>>;
type Layer = { writes: Writes; offchain: Map<string, Uint8Array | null> };

const copyLayer = (layer: Layer): Layer => ({
  writes: new Map([...layer.writes].map(([name, map]) => [name, new Map(map)])),
  offchain: new Map(layer.offchain),
});

const createModel = (base: Tries) => {
  const stack: Layer[] = [{ writes: new Map(), offchain: new Map() }];
  const top = (): Layer => stack[stack.length - 1] as Layer;
  const written = (trie: string): Map<string, Uint8Array | null> => {
    const known = top().writes.get(trie) ?? new Map<string, Uint8Array | null>();
    top().writes.set(trie, known);
    return known;
  };
  const below = (trie: string): Map<string, Uint8Array> => base.get(trie) ?? new Map<string, Uint8Array>();
  const get = (trie: string, key: Uint8Array): Uint8Array | null => {
    const change = written(trie).get(bytesToHex(key));
    return change === undefined ? (below(trie).get(bytesToHex(key)) ?? null) : change;
  };
  const keysOf = (trie: string): Uint8Array[] =>
    [...new Set([...below(trie).keys(), ...written(trie).keys()])]
      .map(hexToBytes)
      .filter((key) => get(trie, key) !== null)
      .sort(compareBytes);
  return {
    stack,
    top,
    get,
    keysOf,
    set: (trie: string, key: Uint8Array, value: Uint8Array | null) =>
      void written(trie).set(bytesToHex(key), value),
    append: (trie: string, key: Uint8Array, item: Uint8Array) => {
      let count = 0;
      let items = noBytes;
      try {
        const reader = new Reader(get(trie, key) ?? noBytes);
        count = reader.compact();
        const canonical = new Writer().compact(count).finish().length === reader.offset;
        items = reader.take(reader.remaining);
        if (!canonical) [count, items] = [0, noBytes];
      } catch {
        [count, items] = [0, noBytes];
      }
      written(trie).set(bytesToHex(key), concatBytes(new Writer().compact(count + 1).finish(), items, item));
    },
    remove: (trie: string, prefix: Uint8Array, limit: number | null, cursor: Uint8Array | null): Removal => {
      let overlay = 0;
      for (const [key, value] of written(trie)) {
        if (!startsWithBytes(hexToBytes(key), prefix)) continue;
        if (value !== null) overlay++;
        written(trie).set(key, null);
      }
      const keys = [...below(trie).keys()].map(hexToBytes).sort(compareBytes);
      let backend = 0;
      let loops = 0;
      for (const key of keys) {
        if (!startsWithBytes(key, prefix) || (cursor !== null && compareBytes(key, cursor) < 0)) continue;
        if (loops === limit) return { cursor: key, backend, unique: overlay + backend, loops };
        if (written(trie).get(bytesToHex(key)) !== null) {
          backend++;
          written(trie).set(bytesToHex(key), null);
        }
        loops++;
      }
      return { cursor: null, backend, unique: overlay + backend, loops };
    },
    rootOf: (trie: string): Uint8Array => {
      const pairs = keysOf(trie).map((key) => [key, get(trie, key) as Uint8Array] as const);
      if (trie !== '') return trieRoot(blake2b256, pairs, version);
      const names = [...new Set([...base.keys(), ...top().writes.keys()])].filter(
        (name) => name !== '' && keysOf(name).length > 0,
      );
      const roots = names.map((name) => {
        const children = keysOf(name).map((key) => [key, get(name, key) as Uint8Array] as const);
        return [childKey(textToBytes(name)), trieRoot(blake2b256, children, version)] as const;
      });
      return trieRoot(blake2b256, [...pairs, ...roots], version);
    },
  };
};
type Model = ReturnType<typeof createModel>;

const key = fc
  .array(fc.constantFrom(0x00, 0x61, 0xff), { maxLength: 2 })
  .map((bytes) => Uint8Array.from(bytes));
const value = fc.oneof(fc.uint8Array({ maxLength: 5 }), fc.uint8Array({ minLength: 31, maxLength: 40 }));
const trie = fc.constantFrom('', '', '', 'one', 'two');
const limit = fc.option(fc.nat({ max: 6 }));
const op = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('set' as const), trie, key, value }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('clear' as const), trie, key }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('append' as const), key, value }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('read' as const), trie, key }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('remove' as const), trie, key, limit, cursor: fc.option(key) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('root' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('prepare' as const), count: fc.nat({ max: 4 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('offchain' as const), key, change: fc.option(value) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom('start' as const, 'commit' as const, 'rollback' as const) }),
  },
);
type Op = typeof op extends fc.Arbitrary<infer T> ? T : never;

const readBoth = (overlay: Overlay, model: Model, name: string, at: Uint8Array): void => {
  const id = textToBytes(name);
  const wanted = model.get(name, at);
  const next = model.keysOf(name).find((candidate) => compareBytes(candidate, at) > 0) ?? null;
  expect(name === '' ? overlay.exists(at) : overlay.childExists(id, at)).toBe(wanted !== null);
  expect(name === '' ? overlay.get(at) : overlay.childGet(id, at)).toEqual(wanted);
  const found = name === '' ? overlay.nextKey(at) : overlay.childNextKey(id, at);
  // The overlay's main trie also contains the roots of committed children, which the model stores separately.
  if (found === null || name !== '' || !startsWithBytes(found, textToBytes(':child_storage:')))
    expect(found).toEqual(next);
};

const runOp = (overlay: Overlay, model: Model, step: Op): void => {
  switch (step.kind) {
    case 'set':
      model.set(step.trie, step.key, step.value);
      if (step.trie === '') overlay.set(step.key, step.value.slice());
      else overlay.childSet(textToBytes(step.trie), step.key, step.value.slice());
      return;
    case 'clear':
      model.set(step.trie, step.key, null);
      if (step.trie === '') overlay.clear(step.key);
      else overlay.childClear(textToBytes(step.trie), step.key);
      return;
    case 'append':
      model.append('', step.key, step.value);
      overlay.append(step.key, step.value);
      return;
    case 'read':
      readBoth(overlay, model, step.trie, step.key);
      return;
    case 'remove': {
      // The empty prefix covers the child roots in the main trie, where nothing is removed.
      if (step.trie === '' && step.key.length === 0) return;
      const removal =
        step.trie === ''
          ? overlay.clearPrefix(step.key, step.limit, step.cursor)
          : overlay.childClearPrefix(textToBytes(step.trie), step.key, step.limit, step.cursor);
      expect(removal).toEqual(model.remove(step.trie, step.key, step.limit, step.cursor));
      return;
    }
    case 'root':
      expect(overlay.root(version)).toEqual(model.rootOf(''));
      return;
    case 'prepare':
      overlay.prepareRoot(version, step.count);
      return;
    case 'offchain':
      model.top().offchain.set(bytesToHex(step.key), step.change);
      if (step.change === null) overlay.offchainIndexClear(step.key);
      else overlay.offchainIndexSet(step.key, step.change);
      return;
    case 'start':
      model.stack.push(copyLayer(model.top()));
      overlay.startTransaction();
      return;
    case 'commit':
    case 'rollback': {
      const isOpen = model.stack.length > 1;
      if (isOpen) {
        const last = model.stack.pop() as Layer;
        if (step.kind === 'commit') model.stack[model.stack.length - 1] = last;
      }
      expect(step.kind === 'commit' ? overlay.commitTransaction() : overlay.rollbackTransaction()).toBe(
        isOpen,
      );
      return;
    }
    default:
      step satisfies never;
  }
};

const pairs = fc.array(fc.tuple(key, value), { maxLength: 12, size: 'max' });
const bases = fc.record({ main: pairs, one: pairs });

const buildBase = (base: { main: [Uint8Array, Uint8Array][]; one: [Uint8Array, Uint8Array][] }) => {
  const source = createNodeMap();
  const overlay = createOverlay(createEmptyBackend({ blake2b256, source }));
  for (const [at, bytes] of base.main) overlay.set(at, bytes);
  for (const [at, bytes] of base.one) overlay.childSet(textToBytes('one'), at, bytes);
  const { backend, nodes } = overlay.commit(version);
  source.add(nodes);
  const toMap = (list: [Uint8Array, Uint8Array][]): Map<string, Uint8Array> =>
    new Map(list.map(([at, bytes]) => [bytesToHex(at), bytes]));
  const tries: Tries = new Map([
    ['', toMap(base.main)],
    ['one', toMap(base.one)],
  ]);
  return { backend, nodes, tries };
};

const storedIn = (all: NodeMap, hash: Uint8Array): Uint8Array => {
  const bytes = all.getNode(hash);
  if (bytes === null) throw new Error(`never stored: ${bytesToHex(hash)}`);
  return bytes;
};

const checkWhole = (overlay: Overlay, model: Model): void => {
  for (const name of ['', 'one', 'two']) {
    for (const at of [noBytes, ...model.keysOf(name)]) readBoth(overlay, model, name, at);
  }
  const { offchain } = overlay.changes();
  expect(new Map(offchain.map(([at, bytes]) => [bytesToHex(at), bytes]))).toEqual(model.top().offchain);
  const committed: Backend = overlay.commit(version).backend;
  expect(committed.root).toEqual(model.rootOf(''));
  for (const name of ['one', 'two']) {
    const expected = model.keysOf(name);
    const found: Uint8Array[] = [];
    const all = { prefix: noBytes, start: null, inclusive: true };
    committed.childVisitKeys(textToBytes(name), all, (key) => found.push(key) > 0);
    expect(found).toEqual(expected);
    expect(overlay.childRoot(textToBytes(name), version)).toEqual(model.rootOf(name));
  }
};

describe('overlay against a plain model', () => {
  it('reads, removes, nests and commits the same', () => {
    fc.assert(
      fc.property(bases, fc.array(op, { maxLength: 80, size: 'max' }), (base, steps) => {
        const { backend, tries } = buildBase(base);
        const model = createModel(tries);
        const overlay = createOverlay(backend);
        for (const step of steps) {
          runOp(overlay, model, step);
          if (step.kind === 'rollback') expect(overlay.root(version)).toEqual(model.rootOf(''));
        }
        checkWhole(overlay, model);
      }),
      { numRuns: 300 },
    );
  });

  it('gives the same results after misses: a missed step leaves no trace and is repeated', () => {
    fc.assert(
      fc.property(bases, fc.array(op, { maxLength: 40, size: 'max' }), (base, steps) => {
        const { backend, nodes, tries } = buildBase(base);
        const all = createNodeMap(nodes);
        const loaded = createNodeMap();
        const overlay = createOverlay(createBackend({ blake2b256, source: loaded }, backend.root));
        const retrying = new Proxy(overlay, {
          get: (target, name) => {
            const member: unknown = Reflect.get(target, name);
            if (typeof member !== 'function') return member;
            return (...args: unknown[]): unknown => {
              for (;;) {
                try {
                  return Reflect.apply(member, target, args);
                } catch (error) {
                  if (!(error instanceof MissingNodes)) throw error;
                  for (const { hash } of error.nodes) loaded.add([[hash, storedIn(all, hash)]]);
                }
              }
            };
          },
        });
        const model = createModel(tries);
        for (const step of steps) runOp(retrying, model, step);
        expect(retrying.root(version)).toEqual(model.rootOf(''));
      }),
      { numRuns: 150 },
    );
  });
});
