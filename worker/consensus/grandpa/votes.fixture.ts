import { hashHeader } from '../../chain/hashes.ts';
import type { BlockRef } from '../../chain/tree.ts';
import type { Header } from '../../codec/header.ts';
import { type BlockHash, blockHashToBytes } from '../../codec/identity.ts';
import type { Crypto } from '../../crypto/crypto.ts';
import { encodeGrandpaJustification, precommitPayload, type SignedPrecommit } from './codec.ts';

export type Voter = { readonly publicKey: Uint8Array; readonly secret: Uint8Array; readonly weight: bigint };

/** Generated voters of weight 1. */
export const createVoters = (crypto: Crypto, count: number): Voter[] =>
  Array.from({ length: count }, (_, index) => ({
    ...crypto.suriToPair(`//Voter${index}`, 'ed25519'),
    weight: 1n,
  }));

/** Consecutive headers; the first has `number`. */
export const createHeaders = (
  crypto: Crypto,
  parent: Uint8Array,
  number: number,
  count: number,
  mark = 0,
): { readonly header: Header; readonly hash: BlockHash; readonly number: number }[] => {
  const made: { header: Header; hash: BlockHash; number: number }[] = [];
  let parentHash = parent;
  for (let i = 0; i < count; i++) {
    const root = new Uint8Array(32).fill(mark);
    const header = { parentHash, number: number + i, stateRoot: root, extrinsicsRoot: root, digest: [] };
    const hash = hashHeader(crypto, header);
    made.push({ header, hash, number: number + i });
    parentHash = blockHashToBytes(hash);
  }
  return made;
};

/** A precommit signed by its voter. */
export const signPrecommit = (
  crypto: Pick<Crypto, 'ed25519Sign'>,
  voter: Pick<Voter, 'publicKey' | 'secret'>,
  target: BlockRef,
  { round, setId }: { readonly round: bigint; readonly setId: bigint },
): SignedPrecommit => {
  const vote = { hash: blockHashToBytes(target.hash), number: target.number };
  const signature = crypto.ed25519Sign(voter.secret, precommitPayload(vote, round, setId));
  return { ...vote, signature, voter: voter.publicKey };
};

/** An encoded justification for `target` with these votes. */
export const encodeVotes = (
  round: bigint,
  target: BlockRef,
  precommits: readonly SignedPrecommit[],
  ancestries: readonly Header[] = [],
): Uint8Array => {
  const targetHash = blockHashToBytes(target.hash);
  return encodeGrandpaJustification({
    round,
    targetHash,
    targetNumber: target.number,
    precommits,
    ancestries,
  });
};
