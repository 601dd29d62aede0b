import { compareBytes, equalBytes, keyToBytes, noBytes } from '../bytes/bytes.ts';
import { stepAll } from './missing-nodes.ts';
import {
  type CacheSlot,
  encodeNode,
  evicted,
  hashedValue,
  noValue,
  type StateVersion,
  type TrieNode,
} from './node-codec.ts';
import type { Hash256, NodeBatch, NodeSource } from './node-source.ts';
import {
  createContext,
  createReplaced,
  findNode,
  loadedValue,
  type Replaced,
  type TrieContext,
} from './trie-context.ts';
import { insertValue, removeValue } from './trie-edit.ts';
import { type KeyVisitor, type TrieTop, type WalkOptions, walkKeys } from './trie-walk.ts';

export type { StateVersion } from './node-codec.ts';
export type { Hash256, NodeBatch, NodeSource } from './node-source.ts';

/** A write (value) or a removal (null). */
export type Change = readonly [key: Uint8Array, value: Uint8Array | null];

export type VisitOptions = Omit<WalkOptions, 'beside'> & {
  /** Another state of the trie. Subtrees that both share are skipped in both. */
  readonly unlike?: Trie | null;
};

/** `inlineLength` is the length of a value stored in its node, null if it is stored by hash. */
export type VisitKey = (key: Uint8Array, inlineLength: number | null) => boolean;

/**
 * One immutable state of a trie. Returned bytes are shared and must not be modified. Every read and edit may
 * throw `MissingNodes`.
 */
export type Trie = {
  root(): Uint8Array;
  isEmpty(): boolean;
  get(key: Uint8Array): Uint8Array | null;
  /** Like `get`, but without loading a value stored by hash. */
  has(key: Uint8Array): boolean;
  /** blake2b-256 of the value. Cached, so that repeating it only costs a walk. */
  valueHash(key: Uint8Array): Uint8Array | null;
  /** The first key strictly after `key`. */
  nextKey(key: Uint8Array): Uint8Array | null;
  /** Visits keys in byte order until the visitor returns false. */
  visitKeys(options: VisitOptions, visit: VisitKey): void;
  /** For walking another trie alongside this one. */
  top(): TrieTop;
  /** A new trie. Later changes to the same key win. A miss lists all nodes that any change needs. */
  apply(changes: readonly Change[], version: StateVersion): Trie;
  /** Nodes that this trie has and its base (the trie it was first derived from, or last `settled`) lacks. */
  collectNew(): NodeBatch;
  /**
   * The hashes of nodes that the base (the trie it was first derived from, or last `settled`) has and this
   * trie lacks. Both lists count places, not hashes: a hash appears once for each place at which a node was
   * added or removed.
   */
  collectRemoved(): Uint8Array[];
  /** The same trie as a new base: `collectNew` and `collectRemoved` of tries derived from it start here. */
  settled(): Trie;
  /** Moves the trie's new nodes into the cache of its source. Call once they are stored. */
  cacheNew(): void;
  /**
   * The nodes and hashed values read by getting each key, sorted by bytes (`state_getReadProof`). A miss
   * lists all of them.
   */
  prove(keys: readonly Uint8Array[]): Uint8Array[];
  /** The hash or short encoding of the node that covers all keys under `prefix`, or null if there is none. */
  closestMerkleValue(prefix: Uint8Array): Uint8Array | null;
};

export type TrieDeps = { readonly blake2b256: Hash256; readonly source: NodeSource };

/** The root of a trie without keys: the hash of one zero byte. */
export const emptyRoot = (hash: Hash256): Uint8Array => hash(new Uint8Array(1));

const encodeTree = (context: TrieContext, node: TrieNode): Uint8Array => {
  if (node.encoded !== null) return node.encoded;
  const { children } = node;
  if (children !== null) for (const child of children) if (child !== null) encodeTree(context, child);
  const encoded = encodeNode(node);
  node.encoded = encoded;
  if (encoded.length >= 32) node.hash = context.hash(encoded);
  return encoded;
};

const collectTree = (
  node: TrieNode,
  since: number,
  isRoot: boolean,
  out: [Uint8Array, Uint8Array][],
): void => {
  const encoded = node.encoded as Uint8Array;
  if (isRoot || encoded.length >= 32) out.push([node.hash as Uint8Array, encoded]);
  if (node.valueKind === hashedValue && node.valueCreatedBy > since) {
    out.push([node.valueHash as Uint8Array, node.value as Uint8Array]);
  }
  if (node.children !== null) {
    for (const child of node.children)
      if (child !== null && child.createdBy > since) collectTree(child, since, false, out);
  }
};

/** The edits that led from a settled trie to this one, last first. */
type Edits = Replaced & { readonly root: TrieNode | null; readonly before: Edits | null };

/** A loaded node is identified by its cache entry. */
const hashOf = (node: TrieNode): Uint8Array => node.hash ?? keyToBytes((node.cacheSlot as CacheSlot).key);

const collectReplaced = (last: Edits, since: number): Uint8Array[] => {
  const out: Uint8Array[] = [];
  let first = last;
  for (let edit: Edits | null = last; edit !== null; edit = edit.before) first = edit;
  const base = first.root;
  // The root is stored even if it is short.
  if (base !== null) out.push(hashOf(base));
  for (let edit: Edits | null = last; edit !== null; edit = edit.before) {
    for (const node of edit.nodes)
      if (node !== base && node.createdBy <= since && (node.encoded as Uint8Array).length >= 32)
        out.push(hashOf(node));
    for (const { hash, createdBy } of edit.values) if (createdBy <= since) out.push(hash);
  }
  return out;
};

const applyChanges = (
  context: TrieContext,
  root: TrieNode | null,
  changes: readonly Change[],
  version: StateVersion,
): TrieNode | null => {
  context.clock++;
  context.replaced = createReplaced();
  let node = root;
  stepAll(
    changes,
    ([key, value]) => {
      if (node === null) context.replaced.wasEmpty = true;
      if (value !== null) node = insertValue(context, node, key, 0, value, version);
      else if (node !== null) node = removeValue(context, node, key, 0);
    },
    ([key]) => key,
  );
  return node;
};

const proveKeys = (
  context: TrieContext,
  root: TrieNode | null,
  keys: readonly Uint8Array[],
): Uint8Array[] => {
  const found = new Set<Uint8Array>();
  const prove = (key: Uint8Array): void => {
    const node = findNode(context, root, key, (passed) => {
      const encoded = passed.encoded as Uint8Array;
      if (passed === root || encoded.length >= 32) found.add(encoded);
    });
    if (node !== null && node.valueKind === hashedValue) found.add(loadedValue(context, node) as Uint8Array);
  };
  stepAll(keys, prove, (key) => key);
  if (root === null) return keys.length === 0 ? [] : [new Uint8Array(1)];
  return [...found]
    .sort(compareBytes)
    .filter((bytes, i, all) => i === 0 || !equalBytes(bytes, all[i - 1] as Uint8Array));
};

const merkleValueUnder = (context: TrieContext, root: TrieNode, prefix: Uint8Array): Uint8Array | null => {
  let first: Uint8Array | null = null;
  walkKeys(context, root, { prefix, start: null, inclusive: true }, (key) => {
    first = key;
    return false;
  });
  if (first === null) return null;
  let depth = -1;
  let found: TrieNode | null = null;
  findNode(context, root, first, (node) => {
    if (found === null && depth + 1 + node.partialCount >= prefix.length * 2) found = node;
    depth += 1 + node.partialCount;
  });
  const encoded = (found as TrieNode | null)?.encoded ?? null;
  return encoded === null || (found !== root && encoded.length < 32) ? encoded : context.hash(encoded);
};

const withLength =
  (visit: VisitKey): KeyVisitor =>
  (key, node) =>
    visit(key, node.valueKind === hashedValue ? null : (node.value as Uint8Array).length);

/** The root node, with everything below it encoded. */
const encodeTop = (context: TrieContext, top: TrieNode | null): TrieNode | null => {
  if (top !== null) {
    const encoded = encodeTree(context, top);
    if (top.createdBy > 0) top.hash ??= context.hash(encoded);
  }
  return top;
};

/** `root` undefined = not loaded yet. */
const createTrieOver = (
  context: TrieContext,
  start: TrieNode | null | undefined,
  startHash: Uint8Array | null,
  since: number,
  edits: Edits | null,
): Trie => {
  let node = start;
  let rootHash = startHash;
  const rootNode = (): TrieNode | null => {
    // An evicted root was once loaded, so its hash is known.
    if (node === undefined || node?.clockBit === evicted)
      node = context.cache.node(rootHash as Uint8Array, context.read, null, 0);
    return node;
  };
  const encodedRoot = (): TrieNode | null => encodeTop(context, rootNode());
  const valueAt = (key: Uint8Array): TrieNode | null => {
    const found = findNode(context, rootNode(), key);
    return found === null || found.valueKind === noValue ? null : found;
  };
  const trie: Trie = {
    root: () => {
      if (rootHash === null) {
        const top = encodedRoot();
        rootHash =
          top === null ? emptyRoot(context.hash) : (top.hash ?? context.hash(top.encoded as Uint8Array));
      }
      return rootHash;
    },
    isEmpty: () => rootNode() === null,
    get: (key) => {
      const found = valueAt(key);
      return found === null ? null : loadedValue(context, found);
    },
    has: (key) => valueAt(key) !== null,
    valueHash: (key) => {
      const found = valueAt(key);
      if (found === null) return null;
      found.valueHash ??= context.hash(found.value as Uint8Array);
      return found.valueHash;
    },
    nextKey: (key) => {
      let next: Uint8Array | null = null;
      walkKeys(context, rootNode(), { prefix: noBytes, start: key, inclusive: false }, (found) => {
        next = found;
        return false;
      });
      return next;
    },
    visitKeys: ({ unlike, ...options }, visit) => {
      if (unlike == null) walkKeys(context, rootNode(), options, withLength(visit));
      else if (!equalBytes(unlike.root(), trie.root()))
        walkKeys(context, encodedRoot(), { ...options, beside: unlike.top() }, withLength(visit));
    },
    top: () => ({ context, root: encodedRoot() }),
    apply: (changes, version) => {
      const top = rootNode();
      const next = applyChanges(context, top, changes, version);
      if (next === top) return createTrieOver(context, next, rootHash, since, edits);
      const edit = { ...context.replaced, root: top, before: edits };
      return createTrieOver(context, next, null, since, edit);
    },
    collectNew: () => {
      const top = encodedRoot();
      const out: [Uint8Array, Uint8Array][] = [];
      if (top !== null && top.createdBy > since) collectTree(top, since, true, out);
      return out;
    },
    collectRemoved: () => (edits === null ? [] : collectReplaced(edits, since)),
    settled: () => createTrieOver(context, node, rootHash, context.clock, null),
    cacheNew: () => {
      const top = encodedRoot();
      if (top !== null && top.createdBy > 0) context.cache.adopt(top, trie.root());
    },
    prove: (keys) => proveKeys(context, encodedRoot(), keys),
    closestMerkleValue: (prefix) => {
      const top = encodedRoot();
      return top === null ? null : merkleValueUnder(context, top, prefix);
    },
  };
  return trie;
};

/** The trie under `root`. Nothing is read yet; nodes are loaded from the source when first walked. */
export const createTrie = (deps: TrieDeps, root: Uint8Array): Trie => {
  const context = createContext(deps.blake2b256, deps.source);
  return createTrieOver(
    context,
    equalBytes(root, emptyRoot(deps.blake2b256)) ? null : undefined,
    root,
    0,
    null,
  );
};
