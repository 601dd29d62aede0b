import type { NodeStatus } from '../../../src/index.ts';
import { groupDigits } from './format.ts';

/** Which states a node keeps; null if it does not say. */
export type Keeps = NodeStatus['statePruning'] | null;

/** Which states a chain keeps, in a few words. */
export const keepsText = (keeps: NodeStatus['statePruning']): string =>
  typeof keeps === 'number'
    ? `of the last ${groupDigits(keeps)} finalized blocks`
    : keeps === 'archive'
      ? 'all (archive)'
      : 'of the finalized chain';

const ownWay = 'For all of them, create a new chain and choose “Keep all states”.';
const remoteWay = 'For all of them, the node has to run with --state-pruning archive.';

/** What a node keeps that has discarded a state, and how to get a chain that keeps it. */
export const discardedText = (keeps: Keeps, isRemote = false): string => {
  const gone = 'The state of this block was discarded.';
  return keeps !== null && keeps !== 'archive'
    ? `${gone} This chain keeps the states ${keepsText(keeps)}. ${isRemote ? remoteWay : ownWay}`
    : `${gone} The node keeps only the states of recent blocks. Use a newer block, or a node that keeps all (archive).`;
};
