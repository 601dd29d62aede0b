import type { blockStats as table } from '../../../src/protocol/rpc/chain.ts';
import { bytesToHex } from '../../bytes/hex.ts';
import { Writer } from '../../bytes/writer.ts';
import { encodeBlock } from '../../codec/block.ts';
import { splitSeals } from '../../codec/header.ts';
import type { BlockHash } from '../../codec/identity.ts';
import { childPrefix } from '../../state/backend.ts';
import { compactNodes } from '../../trie/compact-proof.ts';
import { createProofSource } from '../../trie/node-source.ts';
import { toBlockHash } from '../convert.ts';
import { RpcError } from '../errors.ts';
import type { Handlers } from '../handlers.ts';
import type { RpcParts } from '../parts.ts';

/** SCALE length of a list of byte vectors. */
export const listLength = (items: readonly Uint8Array[]): number => {
  const compact = (value: number): number => new Writer(5).compact(value).finish().length;
  return items.reduce((sum, item) => sum + compact(item.length) + item.length, compact(items.length));
};

/** The compact proof: the main trie, then each child trie it contains, in key order. */
const compactWitness = (
  hash: (data: Uint8Array) => Uint8Array,
  witness: readonly Uint8Array[],
  root: Uint8Array,
): Uint8Array[] => {
  const source = createProofSource(hash, witness);
  const prefix = bytesToHex(childPrefix).slice(2);
  const childRoots: Uint8Array[] = [];
  const main = compactNodes(source, root, (nibbles, value) => {
    if (nibbles.startsWith(prefix) && value.length === 32) childRoots.push(value);
  });
  return [...main, ...childRoots.flatMap((child) => compactNodes(source, child))];
};

/** `dev_getBlockStats`: re-executes the block and measures what it reads. Null for an unknown block. */
export const blockStats = async ({ chain, crypto }: Pick<RpcParts, 'chain' | 'crypto'>, hash: BlockHash) => {
  const block = await chain.loadBlock(hash);
  if (block === null || block.header.number === 0) return null;
  const { result, stateRoot, witness } = await chain.reexecute(block, (overlay) => overlay);
  if (!result.ok) throw new RpcError(6003, 'Failed to re-execute the specified block');
  return {
    witnessLen: listLength(witness),
    witnessCompactLen: listLength(compactWitness(crypto.blake2b256, witness, stateRoot)),
    blockLen: encodeBlock({ header: splitSeals(block.header).unsealed, extrinsics: block.extrinsics }).length,
    numExtrinsics: block.extrinsics.length,
  };
};

export const blockStatsMethods: Handlers<typeof table, Pick<RpcParts, 'chain' | 'crypto'>> = {
  dev_getBlockStats: (deps, { block_hash }) => blockStats(deps, toBlockHash(block_hash)),
};
