import { type ChainSource, NodeError, type SealMode, startNode, type TabNode } from '../../src/index.ts';
import type { Entry } from '../../src/protocol/rpc/define.ts';
import { rpcTable } from '../../src/protocol/rpc/index.ts';
import type { OpenNode, UiNode } from './ui-node.ts';

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

const toUiNode = (node: TabNode): UiNode => {
  const { connection } = node;
  let stopping = false;
  const subscribe: UiNode['subscribe'] = (method, params, unsubscribe, onValue) => {
    let wanted = true;
    const opened = connection.subscribe(method, params, (value) => {
      if (wanted) onValue(value);
    });
    const id = opened.catch(() => null);
    const close = async (): Promise<void> => {
      wanted = false;
      const known = await id;
      if (known !== null && connection.isOpen())
        await connection.unsubscribe(unsubscribe, known).catch(() => false);
    };
    return { opened: opened.then(() => undefined), close: () => void close() };
  };
  return {
    info: node.info,
    request: (method, params, options) => connection.request(method, params, options),
    subscribe,
    hasSecret: (method) => (rpcTable as Readonly<Record<string, Entry>>)[method]?.hasSecret === true,
    status: () => node.status(),
    setSeal: async (mode) => {
      await node.rpc.dev_setSealMode({ mode });
    },
    connect: () => node.connect(),
    onDown: (tell) =>
      connection.onClose((reason) => {
        if (stopping) return;
        // Frees the worker when it was only the connection that broke.
        void node.stop();
        tell(reason);
      }),
    stop: async () => {
      stopping = true;
      await node.stop();
    },
  };
};

/** Starts a chain of this page through the library, as any dApp could. */
export const openNode: OpenNode = async (id, chain, seal) => {
  const node = await startPatiently(id, chain, seal, performance.now() + lockPatienceMs);
  // For the browser's console: `await tabnode.rpc.chain_getHeader()`.
  Object.assign(globalThis, { tabnode: node });
  return toUiNode(node);
};
