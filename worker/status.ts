import type { EquivocationStatus } from '../src/protocol/equivocations.ts';
import type { ForkStatus } from '../src/protocol/fork-status.ts';
import type { NodeStatus, StartInfo } from '../src/protocol/node.ts';
import { bytesToHex } from './bytes/hex.ts';
import type { Chain } from './chain/chain.ts';
import { hashHeader } from './chain/hashes.ts';
import { isSeal } from './codec/digest.ts';
import { engineOf } from './consensus/verifier.ts';
import type { NodeParts } from './node-parts.ts';

const equivocationStatus = ({ crypto, equivocations }: NodeParts): EquivocationStatus => {
  const all = equivocations.list();
  const last = all.at(-1);
  if (last === undefined) return { count: 0, last: null };
  const { engine, slot, offender, first, second } = last;
  const blocks = [hashHeader(crypto, first), hashHeader(crypto, second)] as const;
  return { count: all.length, last: { engine, slot: `${slot}`, offender: bytesToHex(offender), blocks } };
};

/** What on the best chain of a fork is not what the live chain's runtime does on its own, in words. */
const untruthsOf = async ({ chain, dev }: NodeParts): Promise<string[]> => {
  const { hash, number } = chain.best();
  const runtime = await chain.runtimeAt(hash);
  const header = number === chain.base.number ? null : await chain.loadHeader(hash);
  const isUnsealed = engineOf(runtime) !== 'none' && header !== null && !header.digest.some(isSeal);
  const isMocked = dev.mockSignatures || dev.impersonated().length > 0;
  return [
    ...(isUnsealed ? ['Blocks have no seal: the keys of the authorities are not here'] : []),
    ...(chain.overrides().size > 0 ? ['The state of some blocks was edited'] : []),
    ...(isMocked ? ['Transactions may have mock signatures'] : []),
  ];
};

const createForkStatus = async (parts: NodeParts): Promise<ForkStatus | null> => {
  const { fork } = parts;
  if (fork === null) return null;
  const { name, base, chosenAs } = fork.record();
  const { requests = 0, bytes = 0, lies = 0, endpoints = [] } = fork.origin?.stats() ?? {};
  return {
    name,
    base: { hash: base.hash, number: base.number },
    chosenAs,
    endpoints,
    requests,
    bytes,
    lies,
    shared:
      fork.shared.limitBytes === 0
        ? null
        : { found: fork.shared.found(), limitBytes: fork.shared.limitBytes },
    untruths: await untruthsOf(parts),
  };
};

export const createInfo = ({ spec, genesisHash, base, best, finalized }: Chain): StartInfo => {
  const { hash, number } = best();
  const { number: finalizedNumber } = finalized();
  return {
    chainName: spec.name,
    genesisHash,
    bestHash: hash,
    bestNumber: number,
    finalizedNumber,
    ...(spec.genesis.kind === 'live' ? { base: { hash: base.hash, number: base.number } } : {}),
  };
};

export const createStatus = async (parts: NodeParts): Promise<NodeStatus> => {
  const { chain, pool, sealing, finality, config, db } = parts;
  const runtime = await chain.runtimeAt(chain.best().hash);
  const toData = (fault: { readonly code: string; readonly message: string } | null | undefined) =>
    fault ? { code: fault.code, message: fault.message } : null;
  const storageFault = toData(db.fault?.());
  // Without its database, the node still says why.
  const modified = await parts.dev.isModified().catch((error: unknown) => {
    if (storageFault === null) throw error;
    return chain.overrides().size > 0;
  });
  return {
    ...createInfo(chain),
    finalizedHash: chain.finalized().hash,
    ready: pool.readyCount(),
    future: pool.futureCount(),
    seal: sealing.mode(),
    sealFault: toData(sealing.fault()),
    finality: finality.mode(),
    finalityChosen: finality.isChosen(),
    finalityUndecided: finality.isUndecided(),
    storage: config.storage.kind,
    storageFault,
    equivocations: equivocationStatus(parts),
    specName: runtime.version.specName,
    specVersion: runtime.version.specVersion,
    modified,
    edited: [...chain.overrides().keys()],
    impersonated: parts.dev.impersonated().map(bytesToHex),
    mockSignatures: parts.dev.mockSignatures,
    trustBlocks: config.trustBlocks ?? false,
    ignoredSpecFields: chain.spec.unknown,
    statePruning: chain.statePruning,
    clockMovedToMs: parts.dev.clockMovedToMs(),
    fork: await createForkStatus(parts),
  };
};
