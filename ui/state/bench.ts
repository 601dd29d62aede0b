import { getContext, setContext } from 'svelte';
import { BlockPick } from './block-pick.svelte.ts';
import { ChainView } from './chain-view.svelte.ts';
import { createLasting } from './lasting.svelte.ts';
import { Metas } from './metas.svelte.ts';
import { followClients } from './other-clients.ts';
import { Route } from './route.svelte.ts';
import { Sealing } from './sealing.svelte.ts';
import type { Session } from './session.svelte.ts';
import { Traffic, tapNode } from './traffic.svelte.ts';
import type { UiNode } from './ui-node.ts';

/** What every panel works with; made once for a running node. */
export type Bench = {
  /** The node; every call and subscription through it shows up in `traffic`. */
  readonly node: UiNode;
  /** The same node for calls that the person writes: the log does not count them among the page's own. */
  readonly asked: UiNode;
  readonly traffic: Traffic;
  readonly route: Route;
  readonly chain: ChainView;
  readonly pick: BlockPick;
  readonly metas: Metas;
  readonly sealing: Sealing;
  /** The drop zone, the chains and the restart of this page; null where the devtools look at somebody else's node. */
  readonly session: Session | null;
  /**
   * State of a panel that outlives a visit: made at the first one, the same ever after. Its name begins with the panel's
   * id. The signal fires when the state is let go.
   */
  keep<T extends object>(name: string, create: (ended: AbortSignal) => T): T;
  /** Lets go of what a panel keeps: the next visit begins anew. */
  forget(panel: string): void;
  /** Lets go of everything: nothing of a bench outlives its node. */
  close(): void;
};

export const createBench = (running: UiNode, session: Session | null): Bench => {
  const traffic = new Traffic((all) => followClients(running, all));
  const node = tapNode(running, traffic);
  const chain = new ChainView(node);
  const kept = new Map<string, { readonly state: object; readonly end: () => void }>();
  const forget = (panel: string): void => {
    for (const [name, { end }] of kept) {
      if (!name.startsWith(panel)) continue;
      end();
      kept.delete(name);
    }
  };
  return {
    keep: <T extends object>(name: string, create: (ended: AbortSignal) => T): T => {
      const lasting = kept.get(name) ?? createLasting(create);
      kept.set(name, lasting);
      return lasting.state as T;
    },
    forget,
    close: () => forget(''),
    node,
    asked: tapNode(running, traffic, true),
    session,
    traffic,
    route: new Route(),
    chain,
    pick: new BlockPick(node, chain),
    metas: new Metas(node),
    sealing: new Sealing(node),
  };
};

const key = Symbol('bench');

export const provideBench = (bench: Bench): Bench => setContext(key, bench);

/** The bench of the component tree: for panels, whose code loads on its own. */
export const useBench = (): Bench => getContext<Bench>(key);
