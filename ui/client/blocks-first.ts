import type { UiNode, UiSubscription } from './ui-node.ts';

/** Requests for blocks. For most others the node needs the runtime, which blocks its thread while it is compiled. */
const isForBlocks = (method: string): boolean => method.startsWith('chain_');

/** The others wait for the first blocks no longer than this. */
const patienceMs = 500;

/** Lets a page show the first blocks before the node is asked for anything that takes longer. */
export type BlocksFirst = {
  /** The node, whose other requests wait. */
  over(node: UiNode): UiNode;
  /** Sends what waits, and what is requested later at once. */
  open(): void;
};

export const createBlocksFirst = (): BlocksFirst => {
  const { promise: opened, resolve } = Promise.withResolvers<void>();
  let isOpen = false;
  const open = (): void => {
    isOpen = true;
    clearTimeout(timer);
    resolve();
  };
  const timer = setTimeout(open, patienceMs);
  const after = <T>(send: () => Promise<T>): Promise<T> => (isOpen ? send() : opened.then(send));
  const over = (node: UiNode): UiNode =>
    node.with({
      status: () => after(node.status),
      request: (method, params, options) =>
        isForBlocks(method)
          ? node.request(method, params, options)
          : after(() => node.request(method, params, options)),
      subscribe: (method, params, unsubscribe, onValue): UiSubscription => {
        const subscribe = () => node.subscribe(method, params, unsubscribe, onValue);
        if (isOpen || isForBlocks(method)) return subscribe();
        let isWanted = true;
        let subscription: UiSubscription | null = null;
        return {
          opened: opened.then(() => {
            if (!isWanted) return undefined;
            subscription = subscribe();
            return subscription.opened;
          }),
          close: () => {
            isWanted = false;
            subscription?.close();
          },
        };
      },
    });
  return { over, open };
};
