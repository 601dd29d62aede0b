import type { voters as table } from '../../../src/protocol/rpc/consensus.ts';
import { bytesToKey } from '../../bytes/bytes.ts';
import { bytesToHex } from '../../bytes/hex.ts';
import { Reader } from '../../bytes/reader.ts';
import type { BlockRef } from '../../chain/tree.ts';
import { findJustification } from '../../codec/justification.ts';
import { effective, type PendingChange } from '../../consensus/grandpa/authorities.ts';
import { grandpaEngine } from '../../consensus/grandpa/codec.ts';
import { threshold } from '../../consensus/grandpa/verify.ts';
import type { WeightedAuthority } from '../../executor/runtime-api-consensus.ts';
import type { Handlers } from '../handlers.ts';
import type { RpcParts } from '../parts.ts';

type Deps = Pick<RpcParts, 'chain' | 'grandpa' | 'voting' | 'keystore'>;

const authorityJson = ({ publicKey, weight }: WeightedAuthority) => ({
  id: bytesToHex(publicKey),
  weight: String(weight),
});

const changeJson = (change: PendingChange) => ({
  hash: change.hash,
  number: change.number,
  effectiveNumber: effective(change),
  isForced: change.medianFinalized !== null,
  authorities: change.authorities.map(authorityJson),
});

/** The round is null once the block's justification is superseded and deleted. */
const justifiedJson = async ({ chain }: Deps, { hash, number }: BlockRef) => {
  const block = await chain.loadBlock(hash);
  const proof = findJustification(block?.justifications ?? null, grandpaEngine);
  return { hash, number, round: proof === null ? null : String(new Reader(proof).u64()) };
};

const loadVoters = async (deps: Deps) => {
  const set = await deps.grandpa.loadSet(deps.chain.view);
  if (set === null) return null;
  const { setId, authorities, justified } = set;
  const own = new Set(deps.keystore.pairs('gran').map(({ publicKey }) => bytesToKey(publicKey)));
  const total = authorities.reduce((sum, { weight }) => sum + weight, 0n);
  return {
    setId: String(setId),
    totalWeight: String(total),
    thresholdWeight: String(threshold(total)),
    authorities: authorities.map((one) => ({
      ...authorityJson(one),
      isOwn: own.has(bytesToKey(one.publicKey)),
    })),
    changes: [...set.scheduled, ...set.forced].map(changeJson),
    justified: justified === null ? null : await justifiedJson(deps, justified),
    doubleVotes: deps.voting.doubleVotes().map(({ phase, voter, bytes }) => ({
      round: String(new Reader(bytes).u64()),
      phase,
      voter: bytesToHex(voter),
    })),
  };
};

export const votersMethods: Handlers<typeof table, Deps> = {
  dev_grandpa: (deps) => loadVoters(deps),
};
