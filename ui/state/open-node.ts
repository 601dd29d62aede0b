import { type Begun, beginNodeIn } from '../../src/begin.ts';
import { createHost } from '../../src/host.ts';
import { NodeError, type TabNode } from '../../src/index.ts';
import { finishStart } from '../../src/start.ts';
import { consoleHelp } from './console-help.ts';
import { toUiNode } from './tab-node.ts';
import { nodeOptions, type OpenNode, type UiNode } from './ui-node.ts';

/** A page that reloads finds the lock of its former self for a moment. */
const lockPatienceMs = 1500;
const lockRetryMs = 150;

const startPatiently = async (
  begun: Begun,
  given: Parameters<OpenNode>,
  deadlineMs: number,
): Promise<TabNode> => {
  try {
    return await finishStart(begun);
  } catch (fault) {
    const isHeld = fault instanceof NodeError && fault.code === 'ChainInUse';
    if (!isHeld || performance.now() > deadlineMs) throw fault;
    await new Promise((resolve) => setTimeout(resolve, lockRetryMs));
    return startPatiently(beginNodeIn(createHost(), nodeOptions(...given)), given, deadlineMs);
  }
};

/** Starts a chain of this page through the library, as any dApp could, in a worker that is at it already. */
export const openNodeIn = async (begun: Begun, ...given: Parameters<OpenNode>): Promise<UiNode> => {
  const node = await startPatiently(begun, given, performance.now() + lockPatienceMs);
  Object.assign(globalThis, { tabnode: { ...node, help: consoleHelp } });
  // biome-ignore lint/suspicious/noConsole: the greeting to whoever opens the console
  console.info('The node of this page is `tabnode`. Try tabnode.help()');
  return toUiNode(node, node.connection, { isFresh: true, end: () => node.stop() });
};
