import { type Connection, NodeError } from '../../../src/index.ts';
import { tapNode } from './tap-node.ts';
import type { Traffic } from './traffic.svelte.ts';
import type { UiNode } from './ui-node.ts';

/**
 * The page's connection for calls that are typed into the console: the log, once there is one, has them under this
 * name. The node does not report them to the page, because they come over the page's own connection.
 */
export const consoleConnection = (
  node: UiNode,
  connection: Connection,
  log: () => Traffic | null,
): Connection => {
  const open = new Map<string, () => void>();
  let nextId = 1;
  const tapped = (): UiNode => {
    const traffic = log();
    return traffic === null ? node : tapNode(node, traffic, true, 'console');
  };
  return {
    ...connection,
    request: (...call) => tapped().request(...call),
    subscribe: async (method, params, onItem, { unsubscribe = '', signal } = {}) => {
      const { opened, close } = tapped().subscribe(method, params, unsubscribe, onItem);
      await opened;
      const id = `console ${nextId++}`;
      open.set(id, close);
      if (!signal?.aborted) return id;
      close();
      throw new NodeError('Aborted');
    },
    unsubscribe: async (_method, id) => {
      open.get(id)?.();
      return open.delete(id);
    },
  };
};
