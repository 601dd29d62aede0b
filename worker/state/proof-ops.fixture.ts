import fc from 'fast-check';
import { noBytes, textToBytes } from '../bytes/bytes.ts';
import { bytesToHex, type Hex } from '../bytes/hex.ts';
import type { NodeBatch } from '../trie/node-source.ts';
import { createEmptyBackend } from './backend.ts';
import type { ModelExt } from './ext-model.fixture.ts';
import type { Overlay } from './overlay.ts';
import { hash } from './proof-model.fixture.ts';

/** Random calls of host functions, and how the overlay and the model of sp-state-machine run them. */
const key = fc
  .oneof(
    fc.array(fc.constantFrom(0x00, 0x01, 0x10), { maxLength: 2 }),
    fc.array(fc.constantFrom(0x00, 0x01, 0x10, 0x61, 0xff), { maxLength: 3 }),
  )
  .map((bytes) => Uint8Array.from(bytes));
const value = fc.oneof(
  fc.uint8Array({ maxLength: 5 }),
  fc.uint8Array({ minLength: 31, maxLength: 40, size: 'max' }),
  // Shared by several keys, whose values are then one node.
  fc.constantFrom(new Uint8Array(64).fill(1), new Uint8Array(20_000).fill(2)),
);
const trie = fc.constantFrom('', '', '', '', 'one', 'two', 'none');
const child = fc.constantFrom('one', 'two', 'none');
export const version = fc.constantFrom(0 as const, 1 as const);

const read = fc.record({ kind: fc.constantFrom('get', 'exists', 'next'), trie, key });
const call = fc.oneof(
  { weight: 6, arbitrary: read },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('set'), trie, key, value: fc.option(value) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('append'), key, item: fc.uint8Array({ maxLength: 3 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('clear'),
      trie,
      key,
      limit: fc.option(fc.nat({ max: 4 })),
      cursor: fc.option(key),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('root'), version }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('childRoot'), trie: child, version }) },
) as fc.Arbitrary<Call>;

export type Call =
  | { kind: 'get' | 'exists' | 'next'; trie: string; key: Uint8Array }
  | { kind: 'set'; trie: string; key: Uint8Array; value: Uint8Array | null }
  | { kind: 'append'; key: Uint8Array; item: Uint8Array }
  | { kind: 'clear'; trie: string; key: Uint8Array; limit: number | null; cursor: Uint8Array | null }
  | { kind: 'root'; version: 0 | 1 }
  | { kind: 'childRoot'; trie: string; version: 0 | 1 };

/**
 * `layer` begins a transaction of the client, `start` one of the runtime; `keep` and `drop` end the last one.
 */
export type Bracket = { kind: 'layer' | 'start' | 'keep' | 'drop' };

const bracket = fc.record({
  kind: fc.constantFrom('layer', 'start', 'keep', 'drop'),
}) as fc.Arbitrary<Bracket>;

export const calls = fc.array(call, { minLength: 1, maxLength: 40, size: 'max' });
export const steps = fc.array(fc.oneof({ weight: 4, arbitrary: call }, { weight: 1, arbitrary: bracket }), {
  minLength: 1,
  maxLength: 80,
  size: 'max',
});
export const entries = fc.array(fc.tuple(trie, key, value), { maxLength: 40, size: 'max' });

const nameOf = (step: Call): Uint8Array => ('trie' in step ? textToBytes(step.trie) : noBytes);

const callMain = (overlay: Overlay, step: Call): unknown => {
  switch (step.kind) {
    case 'get':
      return overlay.get(step.key);
    case 'exists':
      return overlay.exists(step.key);
    case 'next':
      return overlay.nextKey(step.key);
    case 'set':
      return step.value === null ? overlay.clear(step.key) : overlay.set(step.key, step.value.slice());
    case 'append':
      return overlay.append(step.key, step.item);
    case 'clear':
      return void overlay.clearPrefix(step.key, step.limit, step.cursor);
    default:
      return void overlay.root(step.version);
  }
};

/** Runs one call on the overlay. Returns what a read returns. */
export const callOverlay = (overlay: Overlay, step: Call): unknown => {
  const name = nameOf(step);
  if (name.length === 0) return callMain(overlay, step);
  switch (step.kind) {
    case 'get':
      return overlay.childGet(name, step.key);
    case 'exists':
      return overlay.childExists(name, step.key);
    case 'next':
      return overlay.childNextKey(name, step.key);
    case 'set':
      return step.value === null
        ? overlay.childClear(name, step.key)
        : overlay.childSet(name, step.key, step.value.slice());
    case 'clear':
      return void overlay.childClearPrefix(name, step.key, step.limit, step.cursor);
    default:
      return void overlay.childRoot(name, (step as { version: 0 | 1 }).version);
  }
};

/** The same on the model. */
export const callModel = (model: ModelExt, step: Call): unknown => {
  const name = bytesToHex(nameOf(step));
  switch (step.kind) {
    case 'get':
      return model.get(name, step.key);
    case 'exists':
      return model.exists(name, step.key);
    case 'next':
      return model.nextKey(name, step.key);
    case 'set':
      return model.set(name, step.key, step.value);
    case 'append':
      return model.append(step.key, step.item);
    case 'clear':
      return model.clear(name, step.key, step.limit, step.cursor);
    case 'childRoot':
      return model.childRoot(name);
    default:
      return model.root();
  }
};

/** A state with the child tries `one` and `two`, and its nodes by hash. */
export const writeState = (list: readonly (readonly [string, Uint8Array, Uint8Array])[], made: 0 | 1) => {
  const of = (name: string) =>
    list.filter(([at]) => at === name).map(([, at, bytes]) => [at, bytes] as const);
  const children = ['one', 'two']
    .map((name) => [textToBytes(name), of(name)] as const)
    .filter(([, changes]) => changes.length > 0);
  const empty = createEmptyBackend({ blake2b256: hash, source: { getNode: () => null } });
  const { nodes, backend } = empty.commit({ main: of(''), children, offchain: [] }, made);
  return { backend, nodes: nodesByHash(nodes) };
};

export const nodesByHash = (batch: NodeBatch): Map<Hex, Uint8Array> =>
  new Map(batch.map(([name, bytes]) => [bytesToHex(name), bytes]));
