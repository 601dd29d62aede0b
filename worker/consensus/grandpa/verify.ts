import { bytesToKey, equalBytes } from '../../bytes/bytes.ts';
import { hashHeader } from '../../chain/hashes.ts';
import { type Refusal, refuse } from '../../chain/refusal.ts';
import type { BlockRef } from '../../chain/tree.ts';
import { type BlockHash, bytesToBlockHash } from '../../codec/identity.ts';
import type { Crypto } from '../../crypto/crypto.ts';
import type { SignatureClaim, VerifyAll } from '../../crypto/signature-batch.ts';
import type { WeightedAuthority } from '../../executor/runtime-api-consensus.ts';
import {
  decodeGrandpaJustification,
  type GrandpaJustification,
  precommitPayload,
  type SignedPrecommit,
} from './codec.ts';

/** `ed25519VerifyAll` is faster for many signatures (`loadProofCrypto`). */
export type SignatureCrypto = Pick<Crypto, 'ed25519Verify'> & {
  readonly ed25519VerifyAll?: VerifyAll;
};
export type VerifyCrypto = SignatureCrypto & Pick<Crypto, 'blake2b256'>;

/** Whether all signatures are valid. */
export const verifyAll = (crypto: SignatureCrypto, claims: readonly SignatureClaim[]): boolean =>
  crypto.ed25519VerifyAll?.(claims) ??
  claims.every((one) => crypto.ed25519Verify(one.signature, one.message, one.publicKey));
type Voters = { readonly weights: ReadonlyMap<string, bigint>; readonly total: bigint };

const maxWeight = 0xffff_ffff_ffff_ffffn;

const toVoters = (authorities: readonly WeightedAuthority[]): Voters | null => {
  const weights = new Map<string, bigint>();
  let total = 0n;
  for (const { publicKey, weight } of authorities) {
    // An authority of no weight is no voter (finality-grandpa, `VoterSet::new`).
    if (weight === 0n) continue;
    const key = bytesToKey(publicKey);
    weights.set(key, (weights.get(key) ?? 0n) + weight);
    total += weight;
  }
  return total === 0n || total > maxWeight ? null : { weights, total };
};

/** Supermajority threshold: more than two thirds of the total weight. */
export const threshold = (total: bigint): bigint => total - (total - 1n) / 3n;

type Vote = BlockRef & { readonly voter: string; readonly signature: Uint8Array };
type Parents = ReadonlyMap<BlockHash, BlockHash>;

/** The first of the lowest votes. */
const lowest = <T extends BlockRef>(votes: readonly T[]): T =>
  votes.reduce((low, vote) => (vote.number < low.number ? vote : low));

/**
 * The distance of each block on the way from the votes down to a base, which has 0. Null if the headers do not
 * lead from every vote to the base. The heights that were signed are not compared with the headers.
 */
const distances = (
  parents: Parents,
  votes: readonly BlockRef[],
  base: BlockHash,
): Map<BlockHash, number> | null => {
  const known = new Map([[base, 0]]);
  for (const vote of votes) {
    const route: BlockHash[] = [];
    let hash = vote.hash;
    for (let distance = known.get(hash); distance === undefined; distance = known.get(hash)) {
      const parent = parents.get(hash);
      if (parent === undefined) return null;
      route.push(hash);
      hash = parent;
    }
    let distance = known.get(hash) as number;
    for (const passed of route.reverse()) known.set(passed, ++distance);
  }
  return known;
};

/**
 * The first vote of each voter, and the voters who have signed anything else: they count for every block. A
 * second signature of the same vote is something else; a copy is not.
 */
const countVoters = (votes: readonly Vote[]) => {
  const first = new Map<string, Vote>();
  const equivocators = new Set<string>();
  for (const vote of votes) {
    const earlier = first.get(vote.voter);
    if (earlier === undefined) first.set(vote.voter, vote);
    else if (
      earlier.hash !== vote.hash ||
      earlier.number !== vote.number ||
      !equalBytes(earlier.signature, vote.signature)
    )
      equivocators.add(vote.voter);
  }
  return { first, equivocators };
};

/** The highest block backed by a supermajority of precommits (GHOST), or null. */
const findGhost = (votes: readonly Vote[], parents: Parents, { weights, total }: Voters): BlockRef | null => {
  const base = lowest(votes);
  if (distances(parents, votes, base.hash) === null) return null;
  const { first, equivocators } = countVoters(votes);
  const behind = new Map<BlockHash, bigint>();
  const add = (hash: BlockHash, weight: bigint) => behind.set(hash, (behind.get(hash) ?? 0n) + weight);
  const signed = new Map([[base.hash, base.number]]);
  let everywhere = 0n;
  for (const { voter, hash, number } of first.values()) {
    const weight = weights.get(voter) as bigint;
    if (equivocators.has(voter)) everywhere += weight;
    else add(hash, weight);
    if (!signed.has(hash)) signed.set(hash, number);
  }
  let ghost: { hash: BlockHash; distance: number } | null = null;
  // What only second votes are for is no candidate.
  const route = distances(parents, [...first.values()], base.hash) ?? [];
  // From the top down, so that a block has the weight of all blocks above it when its turn comes.
  for (const [hash, distance] of [...route].sort(([, a], [, b]) => b - a)) {
    const weight = behind.get(hash) ?? 0n;
    if (distance > 0) add(parents.get(hash) as BlockHash, weight);
    if (ghost === null && weight + everywhere >= threshold(total)) ghost = { hash, distance };
  }
  return ghost && { hash: ghost.hash, number: signed.get(ghost.hash) ?? base.number + ghost.distance };
};

const bad = (number: number, what: string): Refusal =>
  refuse('BadJustification', `The justification of block #${number} ${what}`);

const toVote = ({ hash, number, voter, signature }: SignedPrecommit): Vote => ({
  hash: bytesToBlockHash(hash),
  number,
  voter: bytesToKey(voter),
  signature,
});

/** Checks that the included headers link every vote to the lowest one, and that none is superfluous. */
const checkAncestries = (votes: readonly BlockRef[], parents: Parents, number: number): Refusal | null => {
  const base = lowest(votes);
  const route = distances(parents, votes, base.hash);
  if (route === null) return bad(number, 'lacks headers between its votes');
  // Each block of the route but the base was found through its header.
  const isExact = route.size - 1 === parents.size && !parents.has(base.hash);
  return isExact ? null : bad(number, 'holds headers that none of its votes needs');
};

/**
 * Votes beyond two of each voter decide nothing, but finality-grandpa accepts copies, further votes of a voter
 * and votes of strangers. This many are accepted here, so that their signatures do not take long.
 */
const maxFurtherVotes = 1024;

const judge = (
  crypto: VerifyCrypto,
  justification: GrandpaJustification,
  set: { readonly setId: bigint; readonly authorities: readonly WeightedAuthority[] },
): Refusal | null => {
  const { precommits, ancestries, round, targetNumber: number } = justification;
  const voters = toVoters(set.authorities);
  if (voters === null) return bad(number, 'has no authority set to be judged by');
  if (precommits.length > 2 * voters.weights.size + maxFurtherVotes)
    return bad(number, 'holds more votes than there can be');
  const votes = precommits.map(toVote);
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
  if (!verifyAll(crypto, claims))
    return bad(number, `holds a signature that is none for round ${round} of set ${set.setId}`);
  return checkAncestries(votes, parents, number);
};

/** A precommit with its signature has 132 bytes (finality-grandpa `SignedPrecommit`). */
const precommitBytes = 132;
/** This many signatures are verified all at once. */
const manySignatures = 31;

/**
 * What verifies a proof, or the commits of this many authorities. The code for large proofs is loaded with the first one; without it they take twice
 * as long.
 */
export const loadProofCrypto = async <T extends SignatureCrypto>(
  crypto: T,
  from: Uint8Array | number | null,
): Promise<T & SignatureCrypto> => {
  const signatures = typeof from === 'number' ? from : (from?.length ?? 0) / precommitBytes;
  if (signatures < manySignatures) return crypto;
  try {
    const { loadSignatureBatch } = await import('../../crypto/signature-batch.ts');
    return { ...crypto, ed25519VerifyAll: (await loadSignatureBatch()).ed25519 };
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
 * over (vote, round, set id), and the headers between the votes (finality-grandpa, `validate_commit`;
 * sc-consensus-grandpa, `GrandpaJustification::verify_with_voter_set`). Returns the reason for refusal
 * (`BadJustification`), or null.
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
