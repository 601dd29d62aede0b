import { NodeError } from '../../../src/protocol/errors.ts';
import { Reader } from '../../bytes/reader.ts';
import { Writer } from '../../bytes/writer.ts';
import type { Chain } from '../../chain/chain.ts';
import { hashHeader } from '../../chain/hashes.ts';
import { type Refusal, refuse } from '../../chain/refusal.ts';
import { type Header, readHeader, writeHeader } from '../../codec/header.ts';
import { type BlockHash, blockHashToBytes } from '../../codec/identity.ts';
import { findJustification } from '../../codec/justification.ts';
import type { WeightedAuthority } from '../../executor/runtime-api-consensus.ts';
import type { AuthoritySet } from './authorities.ts';
import {
  encodeGrandpaJustification,
  findScheduledChange,
  grandpaEngine,
  readGrandpaJustification,
} from './codec.ts';
import { type VerifyCrypto, verifyJustification } from './verify.ts';

/** A block and the justification that finalizes it. */
export type WarpFragment = { readonly header: Header; readonly justification: Uint8Array };

/** The last blocks of consecutive authority sets and, if it is finished, the newest justified block. */
export type WarpProof = { readonly fragments: readonly WarpFragment[]; readonly isFinished: boolean };

/** sc-consensus-grandpa `MAX_WARP_SYNC_PROOF_SIZE`, with room for the count and the flag. */
const maxProofBytes = 8 * 1024 * 1024 - 50;

const writeFragment = (writer: Writer, { header, justification }: WarpFragment): Writer =>
  writeHeader(writer, header).raw(justification);

/** sc-consensus-grandpa `WarpSyncProof`. */
export const encodeWarpProof = ({ fragments, isFinished }: WarpProof): Uint8Array =>
  new Writer(4096).vec(fragments, writeFragment).bool(isFinished).finish();

/** Throws `BadScale` unless the bytes are exactly one proof. */
export const decodeWarpProof = (bytes: Uint8Array): WarpProof => {
  const reader = new Reader(bytes);
  const fragments = reader.vec((from) => ({
    header: readHeader(from),
    justification: encodeGrandpaJustification(readGrandpaJustification(from)),
  }));
  const proof = { fragments, isFinished: reader.bool() };
  reader.end();
  return proof;
};

type ProvingChain = Pick<Chain, 'finalized' | 'loadBlock' | 'loadHashAt' | 'loadHeader'>;

/** Null if the block's justification was not stored. */
const loadFragment = async (chain: ProvingChain, number: number): Promise<WarpFragment | null> => {
  const hash = await chain.loadHashAt(number);
  const block = hash === null ? null : await chain.loadBlock(hash);
  const justification = findJustification(block?.justifications ?? null, grandpaEngine);
  return block === null || justification === null ? null : { header: block.header, justification };
};

const sizeOf = (fragment: WarpFragment): number => writeFragment(new Writer(4096), fragment).finish().length;

/**
 * Proves to a node that trusts a block which authority sets followed, up to the newest justified block
 * (sc-consensus-grandpa `WarpSyncProof::generate`). Throws `NotFinalizable` unless the block is final,
 * `Unsupported` if the sets since then, or their justifications, are not known.
 */
export const proveWarp = async (
  chain: ProvingChain,
  set: AuthoritySet,
  begin: BlockHash,
): Promise<WarpProof> => {
  const { number: from } = (await chain.loadHeader(begin)) ?? { number: Number.POSITIVE_INFINITY };
  if (from > chain.finalized().number || (await chain.loadHashAt(from)) !== begin)
    throw new NodeError('NotFinalizable', 'A warp proof begins at a finalized block');
  const ends = set.changes.filter(({ last }) => last > from);
  // A list that does not start with set 0 lacks the earlier sets.
  if (ends.length === set.changes.length && (ends[0]?.setId ?? 0n) !== 0n)
    throw new NodeError('Unsupported', `The authority set of block #${from} is not known`);
  const fragments: WarpFragment[] = [];
  let bytes = 0;
  for (const { last } of ends) {
    const fragment = await loadFragment(chain, last);
    if (fragment === null)
      throw new NodeError('Unsupported', `The justification of block #${last} was not stored`);
    // A forced change breaks the chain of trust, because no member of the old set has signed it.
    if (findScheduledChange(fragment.header) === null) break;
    bytes += sizeOf(fragment);
    if (bytes >= maxProofBytes) return { fragments, isFinished: false };
    fragments.push(fragment);
  }
  const floor = fragments.at(-1)?.header.number ?? from - 1;
  const newest = set.justified === null || set.justified.number <= floor ? null : set.justified.number;
  const fragment = newest === null ? null : await loadFragment(chain, newest);
  if (fragment !== null) fragments.push(fragment);
  return { fragments, isFinished: true };
};

type VotingSet = { readonly setId: bigint; readonly authorities: readonly WeightedAuthority[] };

/**
 * Follows a proof from the set of the block at which it begins. Returns the last block's header with the set that
 * decides on the blocks after it, null as header if the proof is empty; or why it is refused (`BadJustification`).
 */
export const verifyWarp = (
  crypto: VerifyCrypto,
  { fragments, isFinished }: WarpProof,
  start: VotingSet,
): (VotingSet & { readonly ok: true; readonly header: Header | null }) | Refusal => {
  let { setId, authorities } = start;
  for (const [index, { header, justification }] of fragments.entries()) {
    const block = { hash: blockHashToBytes(hashHeader(crypto, header)), number: header.number };
    const wrong = verifyJustification(crypto, justification, block, { setId, authorities });
    if (wrong !== null) return wrong;
    const change = findScheduledChange(header);
    if (change !== null) {
      setId += 1n;
      ({ authorities } = change);
    } else if (!isFinished || index < fragments.length - 1)
      return refuse(
        'BadJustification',
        `Block #${header.number} of the warp proof does not end an authority set`,
      );
  }
  return { ok: true, setId, authorities, header: fragments.at(-1)?.header ?? null };
};
