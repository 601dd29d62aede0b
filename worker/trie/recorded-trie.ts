import { compareBytes, startsWithBytes } from '../bytes/bytes.ts';
import { hashedValue, noValue, type TrieNode } from './node-codec.ts';
import type { ProofRecorder } from './proof-recorder.ts';
import { type Change, emptyRoot, type Trie, type VisitOptions } from './trie.ts';
import { findNode, loadedValue } from './trie-context.ts';

/**
 * Changes in the order in which the SDK applies them (sp-trie, `delta_trie_root`). It decides which siblings
 * a removal loads.
 */
const inOrder = (changes: readonly Change[]): readonly Change[] =>
  [...changes].sort(([a], [b]) => compareBytes(a, b));

/**
 * The same trie, whose reads and edits pass to `recorder` what sp-trie's recorder gets: the nodes down to a
 * key or to where its path ends, the value if it is stored by hash and asked for, and for walks also the way
 * to each key visited. Tries that result from an edit record nothing.
 */
export const recordTrie = (trie: Trie, recorder: ProofRecorder): Trie => {
  const find = (key: Uint8Array): TrieNode | null => {
    const { context, root } = trie.top();
    if (root === null) recorder.emptyRoot(trie.root());
    const found = findNode(context, root, key, (node) => recorder.node(node, node === root));
    return found === null || found.valueKind === noValue ? null : found;
  };
  const findStart = ({ prefix, start }: VisitOptions): void => {
    const isBelow = start === null || compareBytes(start, prefix) <= 0;
    // A start after the prefix ends the walk at the root (trie-db, `prefix_then_seek`).
    if (isBelow || startsWithBytes(start, prefix)) find(prefix);
    else find(prefix.subarray(0, 0));
    if (!isBelow && startsWithBytes(start, prefix)) find(start);
  };
  return {
    ...trie,
    get: (key) => {
      const found = find(key);
      if (found === null) return null;
      const value = loadedValue(trie.top().context, found);
      if (found.valueKind === hashedValue) recorder.value(found, value as Uint8Array);
      return value;
    },
    has: (key) => find(key) !== null,
    valueHash: (key) => (find(key) === null ? null : trie.valueHash(key)),
    nextKey: (key) => {
      find(key);
      const next = trie.nextKey(key);
      if (next !== null) find(next);
      return next;
    },
    visitKeys: (options, visit) => {
      findStart(options);
      trie.visitKeys(options, (key, inlineLength) => {
        find(key);
        return visit(key, inlineLength);
      });
    },
    apply: (changes, version) => {
      const { context, root } = trie.top();
      const next = trie.apply(inOrder(changes), version);
      for (const [key] of changes) find(key);
      // What is not on the way to a key: the last child of a branch, with which a removal merges it.
      for (const node of context.replaced.nodes)
        if (node.createdBy !== context.clock) recorder.node(node, node === root);
      if (context.replaced.wasEmpty) recorder.emptyRoot(emptyRoot(context.hash));
      return next;
    },
  };
};
