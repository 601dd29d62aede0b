import type { Begun } from '../../src/begin.ts';
import { NodeError, type TabNode } from '../../src/index.ts';
import { finishStart } from '../../src/start.ts';
import { attachNode } from '../../src/tabs/attach.ts';
import { offerNode } from '../../src/tabs/offer.ts';
import { consoleHelp } from './console-help.ts';
import { toUiNode } from './tab-node.ts';
import type { UiNode } from './ui-node.ts';

/** This tab's own node, which it shares with the others; `ChainInUse` if one of them has the chain. */
const startOwn = async (begun: Begun, chain: string): Promise<TabNode> => {
  const node = await finishStart(begun);
  offerNode(chain, node, begun.ended);
  return node;
};

type Opened = { readonly node: TabNode; readonly isElsewhere: boolean };

/** The chain's node: this tab's own if it can be had, or that of the tab which has the chain. */
const openShared = async (begun: Begun, chain: string): Promise<Opened> => {
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
  if (opened.isElsewhere) begun.end(new NodeError('Disconnected', 'Another tab runs the chain'));
  else looking.abort();
  return opened;
};

/** Opens a chain of this page through the library, as any dApp could, in a worker that is at it already. */
export const openNodeIn = async (begun: Begun, chain: string): Promise<UiNode> => {
  const { node, isElsewhere } = await openShared(begun, chain);
  Object.assign(globalThis, { tabnode: { ...node, help: consoleHelp } });
  // biome-ignore lint/suspicious/noConsole: the greeting to whoever opens the console
  console.info('The node of this page is `tabnode`. Try tabnode.help()');
  return toUiNode(node, node.connection, { isFresh: !isElsewhere, isElsewhere, end: () => node.stop() });
};
