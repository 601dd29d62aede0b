import type { NodeConfig } from '../../src/protocol/node.ts';
import { type NodeThread, startNodeThread } from './node-thread.ts';

type IdleConfig = Pick<NodeConfig, 'chain' | 'storage' | 'finality' | 'trustBlocks' | 'statePruning'>;

/** A node that does not seal blocks on its own, for commands that read or write its blocks. */
export const startIdleNode = (config: IdleConfig): Promise<NodeThread> =>
  startNodeThread({ ...config, seal: { kind: 'manual' }, dialect: 'psp-6', keys: [] });
