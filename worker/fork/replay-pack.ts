import { NodeError } from '../../src/protocol/errors.ts';
import { bytesToKey, keyToBytes } from '../bytes/bytes.ts';
import { bytesToHex } from '../bytes/hex.ts';
import type { Reader } from '../bytes/reader.ts';
import type { Writer } from '../bytes/writer.ts';
import { isBodyOf } from '../chain/hashes.ts';
import { readExtrinsic } from '../codec/block.ts';
import { decodeHeader } from '../codec/header.ts';
import { type BlockHash, blockHashToBytes, bytesToBlockHash } from '../codec/identity.ts';
import type { Hash256, NodeBatch } from '../trie/node-source.ts';
import type { LiveNodes } from './live-nodes.ts';
import type { LiveOrigin } from './live-view.ts';
import { fileKinds, openFile, readNodes, sealFile, sizeOfNodes, writeNodes } from './sealed-file.ts';

type Recorded = {
  readonly header: Uint8Array;
  /** Null: it was not read. */
  readonly extrinsics: readonly Uint8Array[] | null;
};

/** A block of a live chain in one file, with all that its execution and its comparison read. Both run again without a network. */
export type ReplayPack = {
  readonly hash: BlockHash;
  readonly blocks: readonly Recorded[];
  readonly nodes: NodeBatch;
  /** The keys that the block changed, as an endpoint claims; null: none said it. */
  readonly changed: readonly Uint8Array[] | null;
};

const kind = fileKinds.block;

const writeBlock = (writer: Writer, { header, extrinsics }: Recorded): Writer => {
  writer.vecBytes(header).bool(extrinsics !== null);
  return extrinsics === null ? writer : writer.vec(extrinsics, (out, extrinsic) => out.raw(extrinsic));
};

const readBlock = (reader: Reader): Recorded => {
  const header = reader.vecBytes().slice();
  return { header, extrinsics: reader.bool() ? reader.vec(readExtrinsic) : null };
};

const writeKeys = (writer: Writer, keys: readonly Uint8Array[] | null): Writer => {
  writer.bool(keys !== null);
  return keys === null ? writer : writer.vec(keys, (out, key) => out.vecBytes(key));
};

/** SCALE: hash, blocks, changed keys, nodes. */
export const encodeReplayPack = (
  blake2b256: Hash256,
  { hash, blocks, nodes, changed }: ReplayPack,
): Uint8Array =>
  sealFile(blake2b256, kind, sizeOfNodes(nodes), (writer) => {
    writer.raw(blockHashToBytes(hash)).vec(blocks, writeBlock);
    return writeNodes(writeKeys(writer, changed), nodes);
  });

/** Verifies the whole file: its checksum, and each body by its header. Throws `BadValue`. */
export const decodeReplayPack = (blake2b256: Hash256, bytes: Uint8Array): ReplayPack =>
  openFile(blake2b256, kind, bytes, (reader) => {
    const hash = bytesToBlockHash(reader.take(32));
    const blocks = reader.vec(readBlock);
    const changed = reader.bool() ? reader.vec((items) => items.vecBytes().slice()) : null;
    for (const { header, extrinsics } of blocks)
      if (extrinsics !== null && !isBodyOf(blake2b256, decodeHeader(header), extrinsics))
        throw new TypeError('a block has extrinsics that are not those of its header');
    return { hash, blocks, changed, nodes: readNodes(blake2b256, reader) };
  });

/** A live chain that has only what a pack has. */
export const packOrigin = (blake2b256: Hash256, { blocks, nodes, changed }: ReplayPack): LiveOrigin => {
  const byHash = new Map(blocks.map((block) => [bytesToKey(blake2b256(block.header)), block]));
  const byName = new Map(nodes.map(([hash, node]) => [bytesToKey(hash), node]));
  const need = (hash: Uint8Array): Uint8Array => {
    const node = byName.get(bytesToKey(hash));
    if (node !== undefined) return node;
    throw new NodeError('NotCached', `The pack lacks the node ${bytesToHex(hash)} of a state`);
  };
  return {
    hashAt: async () => null,
    header: async (hash) => byHash.get(bytesToKey(hash))?.header ?? null,
    body: async (hash) => {
      const extrinsics = byHash.get(bytesToKey(hash))?.extrinsics;
      return extrinsics == null ? null : [...extrinsics];
    },
    nodes: async (_at, _requests, wanted) => wanted.map(need),
    keysPaged: async () => [],
    diff: async () => changed && [...changed],
  };
};

/**
 * Reads through to a live chain, and keeps what was read. `known` has nodes of earlier reads, which are not requested again.
 */
export const recordingOrigin = (blake2b256: Hash256, live: LiveOrigin, known: Pick<LiveNodes, 'stored'>) => {
  const headers = new Map<string, Uint8Array>();
  const bodies = new Map<string, readonly Uint8Array[]>();
  const nodes = new Map<string, Uint8Array>();
  let changed: readonly Uint8Array[] | null = null;
  const kept = <T>(map: Map<string, T>, hash: Uint8Array, value: T | null): T | null => {
    if (value !== null) map.set(bytesToKey(hash), value);
    return value;
  };
  const origin: LiveOrigin = {
    hashAt: live.hashAt,
    header: async (hash) => kept(headers, hash, await live.header(hash)),
    body: async (hash) => {
      const extrinsics = await live.body(hash);
      kept(bodies, hash, extrinsics);
      return extrinsics;
    },
    nodes: async (at, requests, wanted) => {
      const stored = await known.stored(wanted);
      const found = stored.every((node) => node !== null)
        ? (stored as Uint8Array[])
        : await live.nodes(at, requests, wanted);
      for (const node of found) nodes.set(bytesToKey(blake2b256(node)), node);
      return found;
    },
    // The nodes of a walk are known by now.
    keysPaged: async () => [],
    diff: async (at) => {
      const keys = await live.diff(at);
      changed = keys;
      return keys;
    },
  };
  const pack = (hash: BlockHash): ReplayPack => ({
    hash,
    blocks: [...headers].map(([key, header]) => ({ header, extrinsics: bodies.get(key) ?? null })),
    nodes: [...nodes].map(([key, node]) => [keyToBytes(key), node] as const),
    changed,
  });
  return { origin, pack };
};
