import { readAccount } from '../../../src/scale/address.ts';
import type { Answer, UiNode } from '../client/ui-node.ts';

export type RoundState = Answer<'grandpa_roundState'>;
export type Round = RoundState['best'];
export type Votes = Round['prevotes'];
export type Voters = NonNullable<Answer<'dev_grandpa'>>;

/** GRANDPA as the node reports it. */
export type Grandpa = {
  /** Null on a chain without GRANDPA; undefined if the node has no method to read them. */
  readonly voters: Voters | null | undefined;
  /** Null while the node does not vote. */
  readonly rounds: RoundState | null;
};

type Node = Pick<UiNode, 'offers' | 'request'>;

/** JSON-RPC's code for a method that the node does not have. */
const noMethod = -32601;
/** The SDK's code while no voter runs. */
const noVoter = 1;

/** Resolves to `instead` if the call is refused with one of these codes. */
const unless = async <T, I>(call: Promise<T>, codes: readonly number[], instead: I): Promise<T | I> => {
  try {
    return await call;
  } catch (fault) {
    if (codes.includes((fault as { readonly code?: number }).code ?? 0)) return instead;
    throw fault;
  }
};

export const loadVoters = async (node: Node): Promise<Voters | null | undefined> =>
  node.offers('dev_grandpa') ? unless(node.request('dev_grandpa', []), [noMethod], undefined) : undefined;

/** Resolves to null while the node that is asked for its rounds does not vote. */
export const unlessNoVoter = (rounds: Promise<RoundState>): Promise<RoundState | null> =>
  unless(rounds, [noVoter, noMethod], null);

export const loadGrandpa = async (node: Node): Promise<Grandpa> => {
  const [voters, rounds] = await Promise.all([
    loadVoters(node),
    unlessNoVoter(node.request('grandpa_roundState', [])),
  ]);
  return { voters, rounds };
};

/** Whether a voter has voted in a phase of a round. */
export const hasVoted = ({ missing }: Votes, id: string): boolean =>
  !missing.some((address) => readAccount(address) === id);

/** Why this node cannot vote; null if it can, or if that is unknown. */
export const whyNoVote = (voters: Grandpa['voters']): string | null => {
  if (voters === undefined) return null;
  if (voters === null) return 'This chain has no GRANDPA.';
  return voters.authorities.some(({ isOwn }) => isOwn)
    ? null
    : 'The keystore has no key of a GRANDPA authority.';
};

/** What is missing if this node cannot finalize alone; null if nothing is, or if that is unknown. */
export const whoElse = (voters: Grandpa['voters']): string | null => {
  if (voters == null || whyNoVote(voters) !== null) return null;
  // A node votes with one key, even if it has more.
  const own = voters.authorities.find(({ isOwn }) => isOwn)?.weight ?? '0';
  return BigInt(own) >= BigInt(voters.thresholdWeight)
    ? null
    : `This node has ${own} of ${voters.thresholdWeight} needed votes, so blocks wait for other voters too.`;
};
