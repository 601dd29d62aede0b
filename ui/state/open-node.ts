import type { Begun } from '../../src/begin.ts';
import { NodeError, type TabNode } from '../../src/index.ts';
import { finishStart } from '../../src/start.ts';
import { attachNode } from '../../src/tabs/attach.ts';
import { offerNode } from '../../src/tabs/offer.ts';
import { consoleHelp } from './console-help.ts';
import { toUiNode } from './tab-node.ts';
import type { UiNode } from './ui-node.ts';

const announce = (node: TabNode): void => {
  Object.assign(globalThis, { tabnode: { ...node, help: consoleHelp } });
};

type Standby = {
  readonly begun: Begun;
  /** This tab's own node, once no other tab runs the chain. */
  readonly own: Promise<UiNode>;
};

const startOwn = async (begun: Begun, chain: string): Promise<UiNode> => {
  const node = await finishStart(begun);
  announce(node);
  offerNode(chain, node, begun.ended);
  return toUiNode(node, node.connection, { isFresh: true, next: null, end: () => node.stop() });
};

/** The node that another tab runs; this tab's own waits to take its place. */
const attach = async (standby: Standby, chain: string, signal: AbortSignal): Promise<UiNode> => {
  const node = await attachNode(chain, signal);
  announce(node);
  const gone = new Promise<void>((resolve) => node.connection.onClose(() => resolve()));
  const next = gone.then(() => openShared(standby, chain));
  // Whoever stops the node does not wait for the next one.
  next.catch(() => undefined);
  const end = async (): Promise<void> => {
    standby.begun.end(new NodeError('Disconnected', 'The page left the chain'));
    await node.stop();
  };
  return toUiNode(node, node.connection, { isFresh: false, next, end });
};

/** Whether some tab waits for another one to let the chain go; if none does, this one's node is starting. */
const isWaitedFor = async (chain: string): Promise<boolean> => {
  const { pending = [] } = await navigator.locks.query();
  return pending.some(({ name }) => name === `tabnode:${chain}`);
};

/** Attaches to the tab that runs the chain, as soon as there is one. Rejects with `ChainInUse` if it does not answer. */
const attachSoon = async (standby: Standby, chain: string, signal: AbortSignal): Promise<UiNode> => {
  try {
    return await attach(standby, chain, signal);
  } catch (fault) {
    if (signal.aborted) throw fault;
    if (await isWaitedFor(chain))
      throw new NodeError('ChainInUse', `Another tab already runs the chain "${chain}"`);
    return attachSoon(standby, chain, signal);
  }
};

/** The chain's node: this tab's own if it can be had, or that of the tab which runs it. */
const openShared = (standby: Standby, chain: string): Promise<UiNode> => {
  const looking = new AbortController();
  const stopLooking = (): void => looking.abort();
  standby.own.then(stopLooking, stopLooking);
  return Promise.race([standby.own, attachSoon(standby, chain, looking.signal)]);
};

/** Opens a chain of this page through the library, as any dApp could, in a worker that is at it already. */
export const openNodeIn = async (begun: Begun, chain: string): Promise<UiNode> => {
  const own = startOwn(begun, chain);
  own.catch(() => undefined);
  const node = await openShared({ begun, own }, chain);
  // biome-ignore lint/suspicious/noConsole: the greeting to whoever opens the console
  console.info('The node of this page is `tabnode`. Try tabnode.help()');
  return node;
};
