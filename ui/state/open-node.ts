import { type ChainSource, NodeError, type SealMode, startNode, type TabNode } from '../../src/index.ts';
import { toUiNode } from './tab-node.ts';
import type { OpenNode } from './ui-node.ts';

/** A page that reloads finds the lock of its former self for a moment. */
const lockPatienceMs = 1500;
const lockRetryMs = 150;

const startPatiently = async (
  id: string,
  chain: ChainSource,
  seal: SealMode,
  deadlineMs: number,
): Promise<TabNode> => {
  try {
    return await startNode({
      chain,
      storage: { kind: 'indexeddb', name: id },
      seal,
    });
  } catch (fault) {
    const isHeld = fault instanceof NodeError && fault.code === 'ChainInUse';
    if (!isHeld || performance.now() > deadlineMs) throw fault;
    await new Promise((resolve) => setTimeout(resolve, lockRetryMs));
    return startPatiently(id, chain, seal, deadlineMs);
  }
};

/** Starts a chain of this page through the library, as any dApp could. */
export const openNode: OpenNode = async (id, chain, seal) => {
  const node = await startPatiently(id, chain, seal, performance.now() + lockPatienceMs);
  // For the browser's console: `await tabnode.rpc.chain_getHeader()`.
  Object.assign(globalThis, { tabnode: node });
  return toUiNode(node, node.connection, () => node.stop());
};
