import type { ChainArguments } from './arguments.ts';
import { openChainSource } from './chain-source.ts';
import { type NodeThread, startNodeThread } from './node-thread.ts';

/** A node that builds nothing by itself, for the commands that read or write its blocks. */
export const startIdleNode = async (args: ChainArguments): Promise<NodeThread> => {
  const { chain, storage } = await openChainSource(args);
  const { finality, trustBlocks, statePruning } = args;
  return startNodeThread({
    chain,
    storage,
    finality,
    seal: { kind: 'manual' },
    dialect: 'psp-6',
    keys: [],
    trustBlocks,
    statePruning,
  });
};
