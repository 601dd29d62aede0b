import type { LeavesProof, mmr as table } from '../../../src/protocol/rpc/consensus.ts';
import { bytesToHex, hexToBytes } from '../../bytes/hex.ts';
import { Reader } from '../../bytes/reader.ts';
import { Writer } from '../../bytes/writer.ts';
import { isUnavailable } from '../../chain/refusal.ts';
import type { BlockHash } from '../../codec/identity.ts';
import { callWithOffchain } from '../../offchain/indexed-call.ts';
import { toBlockHash } from '../convert.ts';
import { invalidParams, lookUpText, methodNotFound, RpcError } from '../errors.ts';
import type { Handlers } from '../handlers.ts';
import { blockAt, failureText } from '../lookups.ts';
import type { RpcParts } from '../parts.ts';

type Deps = Pick<RpcParts, 'chain' | 'offchain'>;

/** sp_mmr_primitives::Error in order, with the SDK's message and the offset from 8010 (mmr-rpc). */
const errors: readonly (readonly [name: string, text: string, offset: number])[] = [
  ['InvalidNumericOp', 'Error performing numeric op', 4],
  ['Push', 'Error pushing new node', 0],
  ['GetRoot', 'Error getting new root', 0],
  ['Commit', 'Error committing changes', 0],
  ['GenerateProof', 'Error generating proof', 2],
  ['Verify', 'Proof verification error', 3],
  ['LeafNotFound', 'Leaf was not found', 1],
  ['PalletNotIncluded', 'MMR pallet not included', 0],
  ['InvalidLeafIndex', 'Requested leaf index invalid', 0],
  ['InvalidBestKnownBlock', 'Provided best known block number invalid', 5],
];

const trapped = (why: string): RpcError => new RpcError(8000, 'Runtime trapped', why);

const refusalOf = (index: number): RpcError => {
  const [name, text, offset] = errors[index] ?? [`Unknown error ${index}`, 'Unknown error', 0];
  return new RpcError(8010 + offset, text, name);
};

/** Runtimes with this function create proofs for a single leaf, by index. */
const oldFunction = 'MmrApi_generate_batch_proof';

/** The value inside the runtime's `Ok`; -32601 if it has no MMR. */
const ask = async (
  { chain, offchain }: Deps,
  hash: BlockHash,
  method: string,
  input: Uint8Array,
): Promise<Reader> => {
  try {
    const runtime = await chain.runtimeAt(hash);
    if (runtime.apiVersion('MmrApi') === null)
      throw new RpcError(methodNotFound.code, methodNotFound.message);
    if (method !== 'mmr_root' && runtime.hasExport(oldFunction))
      throw trapped('Proofs of this version of MmrApi are not supported');
    const name = `MmrApi_${method}`;
    const result = await callWithOffchain(offchain.storage, (extensions) =>
      chain.callAt(hash, name, input, { extensions }),
    );
    if (!result.ok) throw trapped(failureText(name, result));
    const reader = new Reader(result.output);
    if (reader.u8() === 0) return reader;
    throw refusalOf(reader.u8());
  } catch (error) {
    if (isUnavailable(error)) throw trapped(lookUpText(error, 'api', hash));
    throw error;
  }
};

type Parts = { readonly leaves: readonly Uint8Array[]; readonly proof: Uint8Array };

/** Leaves are opaque; a proof consists of leaf indices, leaf count and hashes. */
const readProof = (reader: Reader): Uint8Array => {
  const indices = reader.vec((inner) => inner.u64());
  const count = reader.u64();
  const items = reader.vec((inner) => inner.take(32));
  const out = new Writer().vec(indices, (writer, index) => writer.u64(index)).u64(count);
  return out.vec(items, (writer, item) => writer.raw(item)).finish();
};
const readLeaves = (reader: Reader): Uint8Array[] => reader.vec((inner) => inner.vecBytes());
const writeLeaves = (leaves: readonly Uint8Array[]): Uint8Array =>
  new Writer().vec(leaves, (writer, leaf) => writer.vecBytes(leaf)).finish();

/**
 * The caller's input, decoded. Trailing bytes in either part are refused, because they would shift the other
 * part in the runtime's input.
 */
const readGiven = ({ leaves, proof }: LeavesProof): Parts => {
  try {
    const [left, right] = [new Reader(leaves), new Reader(proof)];
    const parts = { leaves: readLeaves(left), proof: readProof(right) };
    left.end();
    right.end();
    return parts;
  } catch (error) {
    throw new RpcError(-32602, invalidParams('').message, error instanceof Error ? error.message : '');
  }
};

const verify = async (deps: Deps, given: LeavesProof, root: string | null): Promise<boolean> => {
  const { leaves, proof } = readGiven(given);
  const input = new Writer();
  if (root !== null) input.raw(hexToBytes(root));
  input.raw(writeLeaves(leaves)).raw(proof);
  const method = root === null ? 'verify_proof' : 'verify_proof_stateless';
  await ask(deps, toBlockHash(given.blockHash), method, input.finish());
  return true;
};

export const mmrMethods: Handlers<typeof table, Deps> = {
  mmr_root: async (deps, { at }) => {
    const reader = await ask(deps, blockAt(deps, at), 'mmr_root', new Uint8Array());
    return bytesToHex(reader.take(32));
  },
  mmr_generateProof: async (deps, { block_numbers, best_known_block_number, at }) => {
    const hash = blockAt(deps, at);
    const input = new Writer()
      .vec(block_numbers, (writer, number) => writer.u32(number))
      .option(best_known_block_number ?? null, (writer, number) => writer.u32(number))
      .finish();
    const reader = await ask(deps, hash, 'generate_proof', input);
    const leaves = bytesToHex(writeLeaves(readLeaves(reader)));
    return { blockHash: hash, leaves, proof: bytesToHex(readProof(reader)) };
  },
  mmr_verifyProof: (deps, { proof }) => verify(deps, proof, null),
  mmr_verifyProofStateless: (deps, { mmr_root, proof }) => verify(deps, proof, mmr_root),
};
