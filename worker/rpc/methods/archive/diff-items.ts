import type { DiffItem } from '../../../../src/protocol/rpc/params/state.ts';
import { bytesToKey, compareBytes, equalBytes, startsWithBytes } from '../../../bytes/bytes.ts';
import { bytesToHex } from '../../../bytes/hex.ts';
import type { BlockHash } from '../../../codec/identity.ts';
import type { Trie } from '../../../trie/trie.ts';
import { readState } from '../../lookups.ts';
import type { RpcParts } from '../../parts.ts';
import { type ItemSink, patientBudget, reader } from '../chain-head/read-items.ts';
import { type Budget, walkKeys } from '../state/walks.ts';

type Deps = Pick<RpcParts, 'chain'>;
type Form = DiffItem['returnType'];
type Wanted = { readonly key: Uint8Array; readonly form: Form };

/** The items requested from one trie; `childText` is the child's name as the client wrote it. */
type TrieQuery = {
  readonly child: Uint8Array | null;
  readonly childText: string | null;
  readonly wanted: Wanted[];
};

export type Difference = { readonly key: string; readonly type: 'added' | 'modified' | 'deleted' } & {
  readonly [K in Form | 'childTrieKey']?: string;
};

/** The main trie first, then child tries by name; without items, the whole main trie. */
const byTrie = (items: readonly DiffItem[], toBytes: (text: string) => Uint8Array): readonly TrieQuery[] => {
  const tries = new Map<string, TrieQuery>();
  for (const { key, returnType, childTrieKey: childText = null } of items) {
    const child = childText === null ? null : toBytes(childText);
    const id = child === null ? '' : `:${bytesToKey(child)}`;
    const known = tries.get(id) ?? { child, childText, wanted: [] };
    known.wanted.push({ key: toBytes(key ?? ''), form: returnType });
    tries.set(id, known);
  }
  if (tries.size === 0)
    return [{ child: null, childText: null, wanted: [{ key: toBytes(''), form: 'value' }] }];
  const named = [...tries.values()].filter(({ child }) => child !== null);
  named.sort((a, b) => compareBytes(a.child as Uint8Array, b.child as Uint8Array));
  return [...[...tries.values()].filter(({ child }) => child === null), ...named];
};

type Entry = readonly [key: Uint8Array, hash: Uint8Array];
const pageSize = 256;

/**
 * Iterates over the keys under a prefix with the hashes of their values. Skips subtrees that are equal in
 * `unlike`.
 */
const createCursor = (
  parts: Deps,
  at: BlockHash,
  child: Uint8Array | null,
  prefix: Uint8Array,
  budget: Budget,
  unlike: Trie | null,
): (() => Promise<Entry | null>) => {
  const hashOf = reader('hash', child);
  const ofChild = child === null ? {} : { child };
  let page: Entry[] = [];
  let place = 0;
  let isEnd = false;
  return async () => {
    if (place === page.length && !isEnd) {
      const start = page.at(-1)?.[0] ?? null;
      const next: Entry[] = [];
      const walk = { at, prefix, start, count: pageSize, unlike, ...ofChild };
      const read = (...[backend, key]: Parameters<typeof hashOf>) =>
        [key, hashOf(backend, key) as Uint8Array] as const;
      await walkKeys(parts, walk, budget, read, (entry) => next.push(entry));
      await budget.rest();
      isEnd = next.length < pageSize;
      page = next;
      place = 0;
    }
    return page[place++] ?? null;
  };
};

/** Drops prefixes that are covered by a shorter one, so that each key occurs once. */
const shortest = (wanted: readonly Wanted[]): Uint8Array[] => {
  const sorted = wanted.map(({ key }) => key).sort(compareBytes);
  return sorted.filter((key, i) => !sorted.slice(0, i).some((before) => startsWithBytes(key, before)));
};

/** The changes between two states, by trie and in key order. Deleted keys come with their old values. */
export const diffItems = async (
  parts: Deps,
  blocks: { readonly at: BlockHash; readonly previous: BlockHash },
  items: readonly DiffItem[],
  toBytes: (text: string) => Uint8Array,
  sink: ItemSink & { readonly emit: (difference: Difference) => void },
): Promise<void> => {
  const { at, previous } = blocks;
  const budget = patientBudget(sink);
  for (const { child, childText, wanted } of byTrie(items, toBytes)) {
    const ofChild = childText === null ? {} : { childTrieKey: childText };
    const emitDifference = async (type: Difference['type'], [key, hash]: Entry): Promise<void> => {
      const forms = new Set(wanted.filter((one) => startsWithBytes(key, one.key)).map(({ form }) => form));
      const item = { key: bytesToHex(key), type, ...ofChild };
      const from = type === 'deleted' ? previous : at;
      if (forms.has('value')) {
        const value = await readState(parts, from, (backend) => reader('value', child)(backend, key));
        if (value !== null) sink.emit({ ...item, value: bytesToHex(value) });
      }
      if (forms.has('hash')) sink.emit({ ...item, hash: bytesToHex(hash) });
    };
    const trieAt = (block: BlockHash) => readState(parts, block, (backend) => backend.trieOf(child));
    const [newTrie, oldTrie] = [await trieAt(at), await trieAt(previous)];
    for (const prefix of shortest(wanted)) {
      const nextNew = createCursor(parts, at, child, prefix, budget, oldTrie);
      const nextOld = createCursor(parts, previous, child, prefix, budget, newTrie);
      let now = await nextNew();
      let old = await nextOld();
      while ((now !== null || old !== null) && !sink.isOver()) {
        const order = now === null ? 1 : old === null ? -1 : compareBytes(now[0], old[0]);
        if (order < 0) await emitDifference('added', now as Entry);
        else if (order > 0) await emitDifference('deleted', old as Entry);
        else if (!equalBytes((now as Entry)[1], (old as Entry)[1]))
          await emitDifference('modified', now as Entry);
        if (order <= 0) now = await nextNew();
        if (order >= 0) old = await nextOld();
      }
    }
  }
};
