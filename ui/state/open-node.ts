import { createHost } from '../../src/host.ts';
import { type ChainSource, NodeError, startNodeIn, type TabNode, type WorkerHost } from '../../src/index.ts';
import type { ChainModes } from '../chains/chain-modes.ts';
import { toUiNode } from './tab-node.ts';
import type { OpenNode, UiNode } from './ui-node.ts';

/** A page that reloads finds the lock of its former self for a moment. */
const lockPatienceMs = 1500;
const lockRetryMs = 150;

const startPatiently = async (
  host: WorkerHost,
  id: string,
  chain: ChainSource,
  modes: ChainModes,
  deadlineMs: number,
): Promise<TabNode> => {
  try {
    return await startNodeIn(host, {
      chain,
      storage: { kind: 'indexeddb', name: id },
      ...modes,
    });
  } catch (fault) {
    const isHeld = fault instanceof NodeError && fault.code === 'ChainInUse';
    if (!isHeld || performance.now() > deadlineMs) throw fault;
    await new Promise((resolve) => setTimeout(resolve, lockRetryMs));
    return startPatiently(createHost(), id, chain, modes, deadlineMs);
  }
};

/** Starts a chain of this page through the library, as any dApp could, in a worker that is on its way already. */
export const openNodeIn = async (
  host: WorkerHost,
  ...[id, chain, modes]: Parameters<OpenNode>
): Promise<UiNode> => {
  const node = await startPatiently(host, id, chain, modes, performance.now() + lockPatienceMs);
  // For the browser's console: `await tabnode.rpc.chain_getHeader()`.
  Object.assign(globalThis, { tabnode: node });
  return toUiNode(node, node.connection, () => node.stop());
};
