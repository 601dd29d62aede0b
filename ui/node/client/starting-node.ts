import type { TabNode } from '../../../src/index.ts';
import { toUiNode } from './tab-node.ts';
import type { ChainIdentity, UiNode } from './ui-node.ts';

type Opened = Pick<TabNode, 'info' | 'connection' | 'status' | 'connect' | 'openPort' | 'stop'>;

/** A node whose calls wait until it is opened. */
export const toStartingNode = (opening: Promise<{ readonly node: Opened }>, known: ChainIdentity): UiNode => {
  const node = opening.then((opened) => opened.node);
  const connection: Parameters<typeof toUiNode>[1] = {
    request: async (...call) => (await node).connection.request(...call),
    subscribe: async (...call) => (await node).connection.subscribe(...call),
    unsubscribe: async (...call) => (await node).connection.unsubscribe(...call),
    // Asked only before a subscription is closed, which may fail.
    isOpen: () => true,
    onClose: (tell) => {
      const off = node.then((opened) => opened.connection.onClose(tell));
      off.catch(() => undefined);
      return () => void off.then((end) => end()).catch(() => undefined);
    },
  };
  const starting = node.then(({ info }) => info);
  // Reported by whoever opens the node.
  starting.catch(() => undefined);
  return toUiNode(
    {
      info: { ...known, bestHash: '', bestNumber: 0, finalizedNumber: 0 },
      status: async () => (await node).status(),
      connect: async (options) => (await node).connect(options),
      openPort: async (options) => (await node).openPort(options),
    },
    connection,
    { isFresh: false, isElsewhere: false, starting, end: async () => (await node).stop() },
  );
};
