import type { PageContext } from '../page-context.ts';

/** What a block has to do with a live chain. */
export type LiveBlock = {
  /** Whether it was built elsewhere: by another node, or by the live chain that this one is a fork of. */
  readonly isLive: boolean;
  /** Nodes by which its chain can be forked at this block; empty: it cannot. */
  readonly endpoints: readonly string[];
  /** Whether it can be executed once more where the node runs, to compare the state root. */
  readonly canRun: boolean;
  /** Whether the chain can go back to it: a fork cannot to blocks below its base. */
  readonly canBeHead: boolean;
};

/** Of the block at this height, on any branch. */
export const liveBlock = (
  { node, session, status }: Pick<PageContext, 'node' | 'session' | 'status'>,
  number: number,
): LiveBlock => {
  const base = status.now?.base ?? node.base();
  const isBelow = base !== null && number <= base.number;
  const isLive = base === null ? node.remote !== null : isBelow;
  const origin = session?.entry?.origin;
  const ofFork = isBelow && origin?.kind === 'fork' ? origin.endpoints : [];
  const isProving = node.remote !== null && node.offers('state_getReadProof');
  return {
    isLive,
    endpoints: isProving ? [node.remote.url] : ofFork,
    canRun: number > 0 && (isLive || node.remote !== null) && node.offers('dev_runBlock'),
    canBeHead: number >= (base?.number ?? 0),
  };
};
