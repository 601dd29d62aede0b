import { NodeError } from '../../src/protocol/errors.ts';
import { createBoundedMap } from '../bytes/bounded-map.ts';
import { bytesToKey, compareBytes, concatBytes } from '../bytes/bytes.ts';
import type { Origin, ProofRequest } from '../chain/origin.ts';
import type { NodeOrigin } from '../chain/states/node-origin.ts';
import type { Crypto } from '../crypto/crypto.ts';
import { type MissingNode, missingNode } from '../trie/missing-nodes.ts';
import type { NodeBatch } from '../trie/node-source.ts';

/** Nodes of a live chain's states, verified by their hashes. The most recently used ones are kept in memory. */
export type LiveNodes = NodeOrigin & {
  /** Adds nodes of a state that was computed and whose root is a header's. */
  keep(nodes: NodeBatch): void;
  /** How many proofs were requested, and how many bytes of nodes came in. */
  counts(): { readonly rounds: number; readonly bytes: number };
};

/** The proof of any key contains the root, so nodes whose place is not known are looked for with this one. */
const anyKey = /* @__PURE__ */ new Uint8Array();

/** The misses by the block in whose state they lie. */
const byBlock = (
  missing: readonly MissingNode[],
  base: Uint8Array | null,
): { readonly at: Uint8Array; readonly missing: MissingNode[] }[] => {
  const blocks = new Map<string, { readonly at: Uint8Array; readonly missing: MissingNode[] }>();
  for (const node of missing) {
    const at = node.at ?? base;
    if (at === null) throw new Error('A miss does not say in the state of which block it lies');
    const known = blocks.get(bytesToKey(at)) ?? { at, missing: [] };
    known.missing.push(node);
    blocks.set(bytesToKey(at), known);
  }
  return [...blocks.values()];
};

/** One request for each trie. */
const requestsFor = (missing: readonly MissingNode[]): ProofRequest[] => {
  const tries = new Map<string | null, { child: Uint8Array | null; keys: Map<string, Uint8Array> }>();
  for (const { child = null, key } of missing) {
    const name = child === null ? null : bytesToKey(child);
    const known = tries.get(name) ?? { child, keys: new Map() };
    known.keys.set(bytesToKey(key ?? anyKey), key ?? anyKey);
    tries.set(name, known);
  }
  return [...tries.values()].map(({ child, keys }) => ({ child, keys: [...keys.values()] }));
};

/** Memory limit in bytes. What a block reads must fit, or it would be read again and again. */
const defaultLimit = 512 * 1024 * 1024;
/** What an entry takes besides the node: its hash as text, and the map. */
const entryBytes = 200;

/** Nodes by hash, least recently used first. */
const createKnownNodes = (limit: number) => {
  const nodes = new Map<string, Uint8Array>();
  let size = 0;
  return {
    get: (hash: string): Uint8Array | null => {
      const node = nodes.get(hash);
      if (node === undefined) return null;
      nodes.delete(hash);
      nodes.set(hash, node);
      return node;
    },
    add: (hash: string, node: Uint8Array): void => {
      if (!nodes.has(hash)) size += node.length + entryBytes;
      nodes.set(hash, node);
      for (const [oldest, bytes] of nodes) {
        if (size <= limit || oldest === hash) break;
        nodes.delete(oldest);
        size -= bytes.length + entryBytes;
      }
    },
  };
};

/** Of a walk, so many further keys are listed with its first miss under a prefix, and four times as many with the next ones. */
const firstKeys = 32;
const mostKeys = 1000;
/** Prefixes that are remembered. */
const keptPrefixes = 1024;
/** Length of the prefix of a pallet's item. */
const itemPrefix = 32;

/** Keys behind `from`, as an endpoint lists them. */
type Page = {
  readonly from: Uint8Array;
  readonly count: number;
  readonly keys: Promise<readonly Uint8Array[]>;
};

/**
 * The keys that a walk will visit next, as an endpoint lists them: a hint, because what it leaves out is missed by the walk
 * itself, which the trie decides. They are listed while the nodes of the miss before are proven, so a walk that ends there
 * does not wait for them, and one that goes on takes one round for each page.
 */
const createWalks = (origin: Pick<Origin, 'keysPaged'>) => {
  const pages = createBoundedMap<string, Page>(keptPrefixes);
  const idOf = (at: Uint8Array, prefix: Uint8Array): string => bytesToKey(concatBytes(at, prefix));
  const list = (at: Uint8Array, prefix: Uint8Array, count: number, from: Uint8Array): void => {
    // Without it, the walk reads its nodes level by level.
    const keys = origin.keysPaged(at, prefix, count, from).catch(() => []);
    pages.keep(idOf(at, prefix), { from, count, keys });
  };
  return async (at: Uint8Array, missing: readonly MissingNode[]): Promise<MissingNode[]> => {
    const walk = missing.find(({ from, child }) => from !== null && child == null);
    if (walk === undefined || walk.from === null) return [];
    const { from, hash } = walk;
    const prefix = from.subarray(0, itemPrefix);
    const page = pages.get(idOf(at, prefix));
    const listed = page === undefined || compareBytes(page.from, from) > 0 ? [] : await page.keys;
    const keys = listed.filter((key) => compareBytes(key, from) > 0);
    const last = keys.at(-1);
    if (page === undefined || last === undefined) list(at, prefix, firstKeys, from);
    else if (listed.length >= page.count) list(at, prefix, Math.min(page.count * 4, mostKeys), last);
    return keys.map((key) => missingNode(hash, key));
  };
};

export type LiveNodesOptions = {
  /** The block in whose state nodes lie whose miss names no block. Default: each miss names one. */
  readonly base?: () => Uint8Array;
  /** Memory limit in bytes. */
  readonly limit?: number;
};

export const createLiveNodes = (
  origin: Pick<Origin, 'nodes' | 'keysPaged'>,
  blake2b256: Crypto['blake2b256'],
  { base, limit = defaultLimit }: LiveNodesOptions = {},
): LiveNodes => {
  const known = createKnownNodes(limit);
  const nextOfWalk = createWalks(origin);
  let rounds = 0;
  let bytes = 0;
  const proveAt = async (at: Uint8Array, missing: readonly MissingNode[]): Promise<NodeBatch> => {
    rounds += 1;
    const wanted = new Map(missing.map(({ hash }) => [bytesToKey(hash), hash]));
    const ahead = await nextOfWalk(at, missing);
    const proof = await origin.nodes(at, requestsFor([...missing, ...ahead]), [...wanted.values()]);
    const found = proof.map((node) => [blake2b256(node), node] as const);
    for (const [hash, node] of found) {
      known.add(bytesToKey(hash), node);
      bytes += node.length;
      wanted.delete(bytesToKey(hash));
    }
    // Without this, a read would be repeated forever.
    if (wanted.size > 0)
      throw new NodeError('EndpointLied', `A proof lacks ${wanted.size} of the nodes that it must contain`);
    return found;
  };
  return {
    keep: (nodes) => {
      for (const [hash, node] of nodes) known.add(bytesToKey(hash), node);
    },
    counts: () => ({ rounds, bytes }),
    stored: async (hashes) => hashes.map((hash) => known.get(bytesToKey(hash))),
    prove: async (missing) => {
      const proofs = byBlock(missing, base?.() ?? null).map((one) => proveAt(one.at, one.missing));
      return (await Promise.all(proofs)).flat();
    },
  };
};
