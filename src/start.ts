import { type BeginOptions, beginNodeIn, type NodeOptions, type WorkerHost } from './begin.ts';
import { checkOptions } from './check-options.ts';
import { toForkSource } from './fork-source.ts';
import { finishStart, type TabNode } from './tab-node.ts';

export type { ChainSpecJson, NodeOptions, WorkerHost } from './begin.ts';
export type { Snapshot, TabNode } from './tab-node.ts';

/** The options of `startNode` as the start of a worker takes them. */
export const toBeginOptions = ({ fork, ...rest }: NodeOptions): BeginOptions =>
  fork === undefined ? rest : { ...rest, forkSource: () => toForkSource(fork) };

/** Starts a node in the given worker. `startNode` calls this with the browser's worker. */
export const startNodeIn = async (host: WorkerHost, options: NodeOptions = {}): Promise<TabNode> => {
  try {
    checkOptions(options);
  } catch (error) {
    host.terminate();
    throw error;
  }
  return finishStart(beginNodeIn(host, toBeginOptions(options)));
};
