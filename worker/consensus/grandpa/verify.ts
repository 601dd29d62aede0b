import { bytesToKey, equalBytes } from '../../bytes/bytes.ts';
import { hashHeader } from '../../chain/hashes.ts';
import { type Refusal, refuse } from '../../chain/refusal.ts';
import type { BlockRef } from '../../chain/tree.ts';
import { type BlockHash, bytesToBlockHash } from '../../codec/identity.ts';
import type { Crypto } from '../../crypto/crypto.ts';
import type { Ed25519VerifyAll } from '../../crypto/ed25519-batch.ts';
import type { WeightedAuthority } from '../../executor/runtime-api-consensus.ts';
import {
  decodeGrandpaJustification,
  type GrandpaJustification,
  precommitPayload,
  type SignedPrecommit,
} from './codec.ts';

/** `ed25519VerifyAll` is faster for many signatures (`loadProofCrypto`). */
export type VerifyCrypto = Pick<Crypto, 'blake2b256' | 'ed25519Verify'> & {
  readonly ed25519VerifyAll?: Ed25519VerifyAll;
};
type Voters = { readonly weights: ReadonlyMap<string, bigint>; readonly total: bigint };

const maxWeight = 0xffff_ffff_ffff_ffffn;

const toVoters = (authorities: readonly WeightedAuthority[]): Voters | null => {
  const weights = new Map<string, bigint>();
  let total = 0n;
  for (const { publicKey, weight } of authorities) {
    const key = bytesToKey(publicKey);
    weights.set(key, (weights.get(key) ?? 0n) + weight);
    total += weight;
  }
  return total === 0n || total > maxWeight ? null : { weights, total };
};

/** Supermajority threshold: more than two thirds of the total weight. */
export const threshold = (total: bigint): bigint => total - (total - 1n) / 3n;

type Vote = BlockRef & { readonly voter: string };
type Parents = ReadonlyMap<BlockHash, BlockHash>;

/** The blocks from a vote down to a base, both included. Null if the headers do not lead there. */
const routeTo = (parents: Parents, vote: BlockRef, base: BlockRef): BlockHash[] | null => {
  const route = [vote.hash];
  // The heights are signed, so they bound the walk.
  for (let { hash, number } = vote; number > base.number; number--) {
    const parent = parents.get(hash);
    if (parent === undefined) return null;
    hash = parent;
    route.push(hash);
  }
  return vote.number >= base.number && route.at(-1) === base.hash ? route : null;
};

const lowest = <T extends BlockRef>(votes: readonly T[]): T =>
  votes.reduce((low, vote) => (vote.number < low.number ? vote : low));

/**
 * The highest block backed by a supermajority of precommits (GHOST). A voter who voted for two blocks counts
 * for all.
 */
const findGhost = (votes: readonly Vote[], parents: Parents, voters: Voters): BlockRef | null => {
  const base = lowest(votes);
  const first = new Map<string, Vote>();
  const equivocators = new Set<string>();
  for (const vote of votes) {
    const earlier = first.get(vote.voter);
    if (earlier === undefined) first.set(vote.voter, vote);
    else if (earlier.hash !== vote.hash || earlier.number !== vote.number) equivocators.add(vote.voter);
  }
  const weightOf = (voter: string): bigint => voters.weights.get(voter) ?? 0n;
  let everywhere = 0n;
  for (const voter of equivocators) everywhere += weightOf(voter);
  const weights = new Map<BlockHash, { number: number; weight: bigint }>();
  for (const vote of votes) {
    const route = routeTo(parents, vote, base);
    if (route === null) return null;
    if (vote !== first.get(vote.voter)) continue;
    const weight = equivocators.has(vote.voter) ? 0n : weightOf(vote.voter);
    for (const [depth, hash] of route.entries()) {
      const entry = weights.get(hash) ?? { number: vote.number - depth, weight: everywhere };
      entry.weight += weight;
      weights.set(hash, entry);
    }
  }
  let ghost: BlockRef | null = null;
  for (const [hash, { number, weight }] of weights)
    if (weight >= threshold(voters.total) && (ghost === null || number > ghost.number))
      ghost = { hash, number };
  return ghost;
};

const bad = (number: number, what: string): Refusal =>
  refuse('BadJustification', `The justification of block #${number} ${what}`);

/** Checks that the included headers link every vote to the lowest one, and that none is superfluous. */
const checkAncestries = (votes: readonly BlockRef[], parents: Parents, number: number): Refusal | null => {
  const base = lowest(votes);
  const visited = new Set<BlockHash>();
  for (const vote of votes) {
    const route = routeTo(parents, vote, base);
    if (route === null) return bad(number, 'lacks headers between its votes');
    for (const hash of route) if (hash !== base.hash) visited.add(hash);
  }
  const isExact = visited.size === parents.size && [...visited].every((hash) => parents.has(hash));
  return isExact ? null : bad(number, 'holds headers that none of its votes needs');
};

const toRef = ({ hash, number }: SignedPrecommit): BlockRef => ({ hash: bytesToBlockHash(hash), number });

const judge = (
  crypto: VerifyCrypto,
  justification: GrandpaJustification,
  set: { readonly setId: bigint; readonly authorities: readonly WeightedAuthority[] },
): Refusal | null => {
  const { precommits, ancestries, round, targetNumber: number } = justification;
  const voters = toVoters(set.authorities);
  if (voters === null) return bad(number, 'has no authority set to be judged by');
  // A voter has one vote, and at most one further vote is reported as an equivocation.
  if (precommits.length > 2 * voters.weights.size) return bad(number, 'holds more votes than there can be');
  const votes = precommits.map((vote) => ({ ...toRef(vote), voter: bytesToKey(vote.voter) }));
  const known = votes.filter(({ voter }) => voters.weights.has(voter));
  if (known.length === 0) return bad(number, 'holds no vote of the authority set');
  const parents = new Map(
    ancestries.map((header) => [hashHeader(crypto, header), bytesToBlockHash(header.parentHash)]),
  );
  const ghost = findGhost(known, parents, voters);
  if (ghost?.hash !== bytesToBlockHash(justification.targetHash) || ghost.number !== number)
    return bad(number, 'has not more than two thirds of the votes behind its target');
  const claims = precommits.map((vote) => ({
    signature: vote.signature,
    message: precommitPayload(vote, round, set.setId),
    publicKey: vote.voter,
  }));
  const areValid =
    crypto.ed25519VerifyAll?.(claims) ??
    claims.every((one) => crypto.ed25519Verify(one.signature, one.message, one.publicKey));
  if (!areValid) return bad(number, `holds a signature that is none for round ${round} of set ${set.setId}`);
  return checkAncestries(votes, parents, number);
};

/** Proofs above this size have so many signatures (of about 130 bytes) that they are verified all at once. */
const largeProofBytes = 4096;

/**
 * What verifies a proof. The code for large proofs is loaded with the first one; without it they take twice
 * as long.
 */
export const loadProofCrypto = async (
  crypto: VerifyCrypto,
  proof: Uint8Array | null,
): Promise<VerifyCrypto> => {
  if (proof === null || proof.length < largeProofBytes) return crypto;
  try {
    const { loadEd25519Batch } = await import('../../crypto/ed25519-batch.ts');
    return { ...crypto, ed25519VerifyAll: await loadEd25519Batch() };
  } catch {
    return crypto;
  }
};

const decode = (bytes: Uint8Array): GrandpaJustification | null => {
  try {
    return decodeGrandpaJustification(bytes);
  } catch {
    return null;
  }
};

/**
 * Verifies that the set finalized the block: its target, more than two thirds of the weight, each signature
 * over (vote, round, set id), and the headers between the votes (sc-consensus-grandpa, HOST §4.5). Returns
 * the reason for refusal (`BadJustification`), or null.
 */
export const verifyJustification = (
  crypto: VerifyCrypto,
  bytes: Uint8Array,
  block: { readonly hash: Uint8Array; readonly number: number },
  set: { readonly setId: bigint; readonly authorities: readonly WeightedAuthority[] },
): Refusal | null => {
  const justification = decode(bytes);
  if (justification === null) return bad(block.number, 'does not decode');
  const { targetHash, targetNumber } = justification;
  if (!equalBytes(targetHash, block.hash) || targetNumber !== block.number)
    return bad(block.number, `is of another block, #${targetNumber}`);
  return judge(crypto, justification, set);
};
