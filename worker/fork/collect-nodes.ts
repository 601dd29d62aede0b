import { NodeError } from '../../src/protocol/errors.ts';
import { bytesToKey, keyToBytes } from '../bytes/bytes.ts';
import type { Database } from '../db/database.ts';
import { baseReference, decodeNode, hashedValue, type TrieNode } from '../trie/node-codec.ts';
import type { NodeBatch } from '../trie/node-source.ts';

/** Read together. */
const batchSize = 1000;
/** A pack is loaded into memory as a whole. */
const maxBytes = 256 * 1024 * 1024;
const hashLength = 32;

/** A hash in a node. `isNode`: whether it is that of a child, which is a node, and not that of a value. */
type Reference = { readonly hash: Uint8Array; readonly isNode: boolean };

/** The hashes that a node refers to: children, its value, and a value that may be the root of a child trie. */
const referencesOf = (node: TrieNode): Reference[] => {
  const found: Reference[] = [];
  if (node.valueKind === hashedValue) found.push({ hash: node.valueHash as Uint8Array, isNode: false });
  else if (node.value?.length === hashLength) found.push({ hash: node.value, isNode: true });
  for (let slot = 0; slot < 16; slot++) {
    if (((node.bitmap >> slot) & 1) === 0) continue;
    const reference = baseReference(node, slot);
    if (reference.length === hashLength) found.push({ hash: reference.slice(), isNode: true });
    else found.push(...referencesOf(decodeNode(reference.slice())));
  }
  return found;
};

/** What a node refers to. Nothing, if the bytes are none: a value of 32 bytes may as well be the hash of another value. */
const referencesIn = (bytes: Uint8Array): Reference[] => {
  try {
    return referencesOf(decodeNode(bytes));
  } catch {
    return [];
  }
};

/** Every stored node and value of the state under a root, each once. Throws `LimitReached`. */
export const collectNodes = async (db: Pick<Database, 'getMany'>, root: Uint8Array): Promise<NodeBatch> => {
  const found = new Map<string, Uint8Array>();
  // The same bytes may be a value in one place and a node in another one.
  const seen = { values: new Set<string>(), nodes: new Set<string>() };
  let waiting: Reference[] = [];
  let size = 0;
  const add = (reference: Reference): void => {
    const known = reference.isNode ? seen.nodes : seen.values;
    const key = bytesToKey(reference.hash);
    if (known.has(key)) return;
    known.add(key);
    waiting.push(reference);
  };
  const keep = (hash: Uint8Array, bytes: Uint8Array): void => {
    const key = bytesToKey(hash);
    if (!found.has(key)) size += bytes.length;
    found.set(key, bytes);
    if (size > maxBytes)
      throw new NodeError('LimitReached', `What was read takes more than ${maxBytes / 1024 / 1024} MiB`);
  };
  add({ hash: root, isNode: true });
  while (waiting.length > 0) {
    const batch = waiting.slice(0, batchSize);
    waiting = waiting.slice(batchSize);
    const stored = await db.getMany(
      'nodes',
      batch.map(({ hash }) => hash),
    );
    for (const [index, bytes] of stored.entries()) {
      if (bytes === null) continue;
      const { hash, isNode } = batch[index] as Reference;
      keep(hash, bytes);
      if (isNode) for (const reference of referencesIn(bytes)) add(reference);
    }
  }
  return [...found].map(([key, bytes]) => [keyToBytes(key), bytes] as const);
};
