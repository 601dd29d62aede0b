import type { Begun } from '../begin.ts';
import { NodeError } from '../protocol/errors.ts';
import { finishStart, type TabNode } from '../tab-node.ts';
import { attachNode } from './attach.ts';
import { type Lead, leadTabs } from './lead.ts';
import { seizeLead } from './seize.ts';

export type Shared = {
  readonly node: TabNode;
  /** Whether another tab runs it; the worker that was started here has then ended. */
  readonly isElsewhere: boolean;
  /** Fires with the reason. With `ChainInUse`, another tab runs the chain now. */
  readonly ended: AbortSignal;
};

const lost = (): NodeError =>
  new NodeError('ChainInUse', 'Another tab has taken the chain over, because this one was frozen or hung');

/**
 * A page that the browser freezes does not respond, and neither does its worker. If others depend on it, it
 * gives up the chain while it still can, and learns about the change when it wakes up. Its locks may remain,
 * because a worker that is busy at this moment is frozen before it ends. So the next tab seizes the chain.
 */
const leaveWhenFrozen = (begun: Begun, { hasGuests, leave }: Lead): void => {
  const page = globalThis as { readonly document?: EventTarget };
  const freeze = (): void => {
    if (!hasGuests()) return;
    leave();
    begun.suspend();
    page.document?.addEventListener('resume', () => begun.end(lost()), { once: true });
  };
  page.document?.addEventListener('freeze', freeze, { signal: begun.ended });
};

/** This tab's own node, which it shares with the others; `ChainInUse` if one of them has the chain. */
const startOwn = async (begun: Begun, chain: string): Promise<Shared> => {
  const node = await finishStart(begun);
  leaveWhenFrozen(
    begun,
    leadTabs(chain, node, begun.ended, () => begun.end(lost())),
  );
  return { node, isElsewhere: false, ended: begun.ended };
};

const attach = async (chain: string, signal: AbortSignal): Promise<Shared> => ({
  ...(await attachNode(chain, signal)),
  isElsewhere: true,
});

/** Rejects with `ChainInUse` if the tab that has the chain does not respond. */
const race = async (begun: Begun, chain: string): Promise<Shared> => {
  const looking = new AbortController();
  const own = startOwn(begun, chain);
  const elsewhere = attach(chain, looking.signal);
  const opened = await Promise.race([
    elsewhere.catch(() => own),
    own.catch((fault: unknown) => {
      const isHeld = fault instanceof NodeError && fault.code === 'ChainInUse';
      // If the tab that has the chain does not reply, report that it is in use.
      return isHeld ? elsewhere.catch(() => Promise.reject(fault)) : Promise.reject(fault);
    }),
  ]);
  if (opened.isElsewhere) begun.end(new NodeError('ChainInUse'));
  else looking.abort();
  return opened;
};

/**
 * The node of a stored chain: this tab's own if possible, otherwise that of the tab of this origin that has
 * the chain. If that tab shares the chain and does not respond, this one takes it over, in a worker that
 * `seize` starts. Rejects with `ChainInUse` if it does not share it. `chain` is the name of its database.
 */
export const openShared = async (begun: Begun, chain: string, seize: () => Begun): Promise<Shared> => {
  try {
    return await race(begun, chain);
  } catch (fault) {
    if (!(fault instanceof NodeError) || fault.code !== 'ChainInUse') throw fault;
    const never = new AbortController().signal;
    const seized = await seizeLead(
      chain,
      () => attach(chain, never),
      () => startOwn(seize(), chain),
    );
    if (seized === null) throw fault;
    return seized;
  }
};
