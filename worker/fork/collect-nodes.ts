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

/** The hashes that a node refers to: children, its value, and a value that may be the root of a child trie. */
const referencesOf = (node: TrieNode, isValue: (hash: Uint8Array) => void): Uint8Array[] => {
  const hashes: Uint8Array[] = [];
  if (node.valueKind === hashedValue) isValue(node.valueHash as Uint8Array);
  else if (node.value?.length === hashLength) hashes.push(node.value);
  for (let slot = 0; slot < 16; slot++) {
    if (((node.bitmap >> slot) & 1) === 0) continue;
    const reference = baseReference(node, slot);
    if (reference.length === hashLength) hashes.push(reference.slice());
    else hashes.push(...referencesOf(decodeNode(reference.slice()), isValue));
  }
  return hashes;
};

/** Every stored node and value of the state under a root, each once. Throws `LimitReached`. */
export const collectNodes = async (db: Pick<Database, 'getMany'>, root: Uint8Array): Promise<NodeBatch> => {
  const found = new Map<string, Uint8Array>();
  const values = new Set<string>();
  const seen = new Set<string>([bytesToKey(root)]);
  let waiting = [...seen];
  let size = 0;
  const add = (hash: Uint8Array): void => {
    const key = bytesToKey(hash);
    if (seen.has(key)) return;
    seen.add(key);
    waiting.push(key);
  };
  while (waiting.length > 0) {
    const batch = waiting.slice(0, batchSize);
    waiting = waiting.slice(batchSize);
    for (const [index, bytes] of (await db.getMany('nodes', batch.map(keyToBytes))).entries()) {
      const key = batch[index] as string;
      if (bytes === null) continue;
      found.set(key, bytes);
      size += bytes.length;
      if (size > maxBytes)
        throw new NodeError('LimitReached', `What was read takes more than ${maxBytes / 1024 / 1024} MiB`);
      if (values.has(key)) continue;
      const noteValue = (hash: Uint8Array): void => {
        values.add(bytesToKey(hash));
        add(hash);
      };
      for (const hash of referencesOf(decodeNode(bytes), noteValue)) add(hash);
    }
  }
  return [...found].map(([key, bytes]) => [keyToBytes(key), bytes] as const);
};
