import { bytesToKey, concatBytes, noBytes } from '../bytes/bytes.ts';
import { nibbleAt } from './nibbles.ts';
import {
  baseReference,
  createLeaf,
  decodeNode,
  encodeNode,
  hashedValue,
  inlineValue,
  slotsOf,
} from './node-codec.ts';
import type { NodeSource } from './node-source.ts';

/** Receives each inline value with its key's nibbles, one hexadecimal digit each. */
type SeeValue = (nibbles: string, value: Uint8Array) => void;

/** Precedes a node whose value follows as a separate entry. */
const escaped = /* @__PURE__ */ Uint8Array.of(1);

/** Written for a child that follows as a separate entry: an empty inline reference. */
const omittedChild = () => ({ ...createLeaf(0, noBytes, 0, 0), encoded: noBytes });

const partialDigits = (partial: Uint8Array, start: number, count: number): string => {
  let digits = '';
  for (let i = 0; i < count; i++) digits += nibbleAt(partial, start + i).toString(16);
  return digits;
};

/**
 * Encodes a proof without what can be recomputed (sp-trie, `trie_codec::encode_compact`): pre-order from the
 * root, omitting the hashes of included children and values. Nodes that the source lacks are represented by
 * their hash.
 */
export const compactNodes = (source: NodeSource, root: Uint8Array, seeValue?: SeeValue): Uint8Array[] => {
  const entries: Uint8Array[] = [];
  const written = new Set<string>();
  /**
   * A value shared by several keys follows the first of them; the others keep its hash (fixtures:
   * static.jsonl).
   */
  const firstValue = (hash: Uint8Array): Uint8Array | null => {
    const key = bytesToKey(hash);
    if (written.has(key)) return null;
    written.add(key);
    return source.getNode(hash);
  };
  /** Returns whether the source has the node. */
  const visit = (hash: Uint8Array, path: string): boolean => {
    const bytes = source.getNode(hash);
    if (bytes === null) return false;
    const node = decodeNode(bytes);
    const place = entries.push(noBytes) - 1;
    // Nobody else needs the digits, and a large proof has many.
    const here =
      seeValue === undefined ? '' : path + partialDigits(node.partial, node.partialStart, node.partialCount);
    if (node.valueKind === inlineValue) seeValue?.(here, node.value as Uint8Array);
    const value = node.valueKind === hashedValue ? firstValue(node.valueHash as Uint8Array) : null;
    if (value !== null) {
      entries.push(value);
      node.valueKind = inlineValue;
      node.value = noBytes;
    }
    for (let slot = 0; slot < 16; slot++) {
      if (((node.bitmap >> slot) & 1) === 0) continue;
      const reference = baseReference(node, slot);
      // A child shorter than a hash contains no hash itself.
      if (reference.length < 32 || !visit(reference, here + slot.toString(16))) continue;
      slotsOf(node)[slot] = omittedChild();
    }
    const encoded = encodeNode(node);
    entries[place] = value === null ? encoded : concatBytes(escaped, encoded);
    return true;
  };
  visit(root, '');
  return entries;
};
