import type { Begun } from '../../src/begin.ts';
import { openShared } from '../../src/tabs/open-shared.ts';
import { consoleHelp } from './console-help.ts';
import { toUiNode } from './tab-node.ts';
import type { UiNode } from './ui-node.ts';

/** Opens a chain of this page through the library, as any dApp could, in a worker that is at it already. */
export const openNodeIn = async (begun: Begun, chain: string): Promise<UiNode> => {
  const { node, isElsewhere } = await openShared(begun, chain);
  Object.assign(globalThis, { tabnode: { ...node, help: consoleHelp } });
  // biome-ignore lint/suspicious/noConsole: the greeting to whoever opens the console
  console.info('The node of this page is `tabnode`. Try tabnode.help()');
  return toUiNode(node, node.connection, { isFresh: !isElsewhere, isElsewhere, end: () => node.stop() });
};
