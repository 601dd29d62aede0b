import type { Begun } from '../begin.ts';
import { NodeError } from '../protocol/errors.ts';
import { finishStart, type TabNode } from '../start.ts';
import { attachNode } from './attach.ts';
import { offerNode } from './offer.ts';

/** This tab's own node, which it shares with the others; `ChainInUse` if one of them has the chain. */
const startOwn = async (begun: Begun, chain: string): Promise<TabNode> => {
  const node = await finishStart(begun);
  offerNode(chain, node, begun.ended);
  return node;
};

export type Shared = {
  readonly node: TabNode;
  /** Whether another tab runs it; then the worker that was begun has ended. */
  readonly isElsewhere: boolean;
};

/**
 * The node of a stored chain: this tab's own if it can be had, or that of the tab of this origin which has the chain. Rejects
 * with `ChainInUse` if that tab does not share it. `chain` is the name of its database.
 */
export const openShared = async (begun: Begun, chain: string): Promise<Shared> => {
  const looking = new AbortController();
  const own = startOwn(begun, chain).then((node) => ({ node, isElsewhere: false }));
  const elsewhere = attachNode(chain, looking.signal).then((node) => ({ node, isElsewhere: true }));
  const opened = await Promise.race([
    elsewhere.catch(() => own),
    own.catch((fault: unknown) => {
      const isHeld = fault instanceof NodeError && fault.code === 'ChainInUse';
      // The tab that has the chain may not answer: then it is held.
      return isHeld ? elsewhere.catch(() => Promise.reject(fault)) : Promise.reject(fault);
    }),
  ]);
  if (opened.isElsewhere) begun.end(new NodeError('ChainInUse'));
  else looking.abort();
  return opened;
};
