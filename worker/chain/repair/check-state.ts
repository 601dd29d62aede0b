import { bytesToKey, equalBytes } from '../../bytes/bytes.ts';
import { bytesToHex } from '../../bytes/hex.ts';
import type { Crypto } from '../../crypto/crypto.ts';
import { childPrefix } from '../../state/backend.ts';
import { nibbleAt } from '../../trie/nibbles.ts';
import { baseReference, decodeNode, hashedValue, inlineValue, type TrieNode } from '../../trie/node-codec.ts';
import { emptyRoot } from '../../trie/trie.ts';

type Deps = {
  readonly blake2b256: Crypto['blake2b256'];
  /** The stored bytes for these hashes, unverified. */
  readonly load: (hashes: readonly Uint8Array[]) => Promise<readonly (Uint8Array | null)[]>;
  /** Nodes available without the database, by hash. */
  readonly known: ReadonlyMap<string, Uint8Array>;
  /** Called periodically with the number of nodes checked. */
  readonly onProgress: (nodes: number) => void;
};

/**
 * Walks whole states, including child tries and hashed values. Subtrees shared between states are walked
 * once.
 */
export type StateCheck = {
  isWhole(root: Uint8Array): Promise<boolean>;
  /** The known nodes that were missing or damaged. */
  readonly healed: ReadonlyMap<string, Uint8Array>;
};

/** Nibbles from the root, as long as they lead to the child tries. Null elsewhere. */
type Place = string | null;

const prefixNibbles =
  /* Nibbles from the root while they still lead towards the child tries. Null elsewhere. */ bytesToHex(
    childPrefix,
  ).slice(2);

const go = (place: Place, nibbles: string): Place => {
  if (place === null) return null;
  const next = (place + nibbles).slice(0, prefixNibbles.length);
  return prefixNibbles.startsWith(next) ? next : null;
};

const partialOf = ({ partial, partialStart, partialCount }: TrieNode): string => {
  let out = '';
  for (let i = 0; i < partialCount; i++) out += nibbleAt(partial, partialStart + i).toString(16);
  return out;
};

type Wanted = { readonly hash: Uint8Array; readonly place: Place; readonly isValue: boolean };

const progressStep = 1000;

export const createStateCheck = ({ blake2b256, load, known, onProgress }: Deps): StateCheck => {
  const whole = new Set<string>([bytesToKey(emptyRoot(blake2b256))]);
  /** Nodes with something lost at or below them. */
  const torn = new Set<string>();
  const healed = new Map<string, Uint8Array>();
  let seen = 0;

  const fetch = async (wanted: readonly Wanted[]): Promise<(Uint8Array | null)[]> => {
    const stored = wanted.length === 0 ? [] : await load(wanted.map(({ hash }) => hash));
    return wanted.map(({ hash }, at) => {
      if (++seen % progressStep === 0) onProgress(seen);
      const bytes = stored[at] ?? null;
      if (bytes !== null && equalBytes(blake2b256(bytes), hash)) return bytes;
      const key = bytesToKey(hash);
      const other = known.get(key) ?? null;
      if (other !== null) healed.set(key, other);
      return other;
    });
  };

  const areWhole = async (all: readonly Wanted[]): Promise<boolean> => {
    if (all.some(({ hash }) => torn.has(bytesToKey(hash)))) return false;
    const wanted = all.filter(({ hash }) => !whole.has(bytesToKey(hash)));
    const found = await fetch(wanted);
    for (const [at, { hash, place, isValue }] of wanted.entries()) {
      const bytes = found[at] ?? null;
      const isGood = bytes !== null && (isValue || (await isNodeWhole(bytes, place)));
      (isGood ? whole : torn).add(bytesToKey(hash));
      if (!isGood) return false;
    }
    return true;
  };

  const isNodeWhole = async (bytes: Uint8Array, place: Place): Promise<boolean> => {
    const node = decodeNode(bytes);
    const here = place === null ? null : go(place, partialOf(node));
    const wanted: Wanted[] = [];
    if (node.valueKind === hashedValue)
      wanted.push({ hash: node.valueHash as Uint8Array, place: null, isValue: true });
    const value = node.valueKind === inlineValue ? (node.value as Uint8Array) : null;
    if (here === prefixNibbles && value?.length === 32)
      wanted.push({ hash: value, place: null, isValue: false });
    for (let slot = 0; slot < 16; slot++) {
      if (((node.bitmap >> slot) & 1) === 0) continue;
      const reference = baseReference(node, slot);
      const below = go(here, slot.toString(16));
      if (reference.length === 32) wanted.push({ hash: reference, place: below, isValue: false });
      else if (!(await isNodeWhole(reference, below))) return false;
    }
    return areWhole(wanted);
  };

  return { isWhole: (root) => areWhole([{ hash: root, place: '', isValue: false }]), healed };
};
