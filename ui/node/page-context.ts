import { getContext, setContext, untrack } from 'svelte';
import { createDisposable } from '../kit/page/disposable.svelte.ts';
import { Route } from '../kit/page/route.svelte.ts';
import { BlockPick } from './block-pick.svelte.ts';
import { ChainView } from './chain-view.svelte.ts';
import { MethodNames } from './client/method-names.svelte.ts';
import { followClients } from './client/other-clients.ts';
import { tapNode } from './client/tap-node.ts';
import { Traffic } from './client/traffic.svelte.ts';
import type { UiNode } from './client/ui-node.ts';
import { MetadataOfBlocks } from './metadata.svelte.ts';
import type { SharedStatus } from './node-status.svelte.ts';
import { Sealing } from './sealing.svelte.ts';
import type { Session } from './session/session.svelte.ts';

/** The context shared by all panels; created once per running node. */
export type PageContext = {
  /** The node. All its calls and subscriptions are recorded in `traffic`. */
  readonly node: UiNode;
  /** The same node, for calls made by the user: the log does not count them as the page's own. */
  readonly userNode: UiNode;
  readonly traffic: Traffic;
  /** The methods of the node, asked for when they are first needed. */
  readonly methods: MethodNames;
  readonly route: Route;
  readonly chain: ChainView;
  readonly pick: BlockPick;
  readonly metadata: MetadataOfBlocks;
  readonly sealing: Sealing;
  /** The status of the node, read once for all parts of the page. */
  readonly status: SharedStatus;
  /** Manages this page's chains and its node; null if the devtools show a node they do not own. */
  readonly session: Session | null;
  /**
   * Panel state that outlives a visit: created on the first call, the same object afterwards. Its name starts
   * with the panel's id. The signal is aborted when the state is dropped.
   */
  keep<T extends object>(name: string, create: (ended: AbortSignal) => T): T;
  /** Drops the state of a panel: the next visit starts from scratch. */
  forget(panel: string): void;
  /** Drops all state, because nothing of a context may outlive its node. */
  close(): void;
};

/** `order` may delay calls that the page makes itself. */
export const createPageContext = (
  running: UiNode,
  session: Session | null,
  order = (node: UiNode): UiNode => node,
): PageContext => {
  const traffic = new Traffic((all) => followClients(running, all));
  if (session) session.traffic = traffic;
  const node = order(tapNode(running, traffic));
  const chain = new ChainView(node);
  traffic.best = () => untrack(() => chain.best?.number);
  let methods: MethodNames | null = null;
  const sealing = new Sealing(node, session?.entry?.isLookOnly);
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
      const disposable = kept.get(name) ?? createDisposable(create);
      kept.set(name, disposable);
      return disposable.state as T;
    },
    forget,
    close: () => forget(''),
    node,
    userNode: tapNode(running, traffic, true),
    session,
    traffic,
    get methods() {
      methods ??= new MethodNames(node);
      return methods;
    },
    route: new Route(),
    chain,
    pick: new BlockPick(node, chain),
    metadata: new MetadataOfBlocks(node),
    sealing,
    status: sealing.status,
  };
};

const key = Symbol('page-context');

/** Creates the context of a component tree, once: another node mounts another tree. */
export const providePageContext = (create: () => PageContext): PageContext => setContext(key, create());

/** The context of the component tree, for panels, which are loaded lazily. */
export const usePageContext = (): PageContext => getContext<PageContext>(key);
