import type { UiNode, UiSubscription } from './ui-node.ts';

/** Requests for blocks. For most others the node needs the runtime, which blocks its thread while it is compiled. */
const isForBlocks = (method: string): boolean => method.startsWith('chain_');

/** Whatever waits for the first blocks, such as other requests, waits no longer than this. */
export const patienceMs = 500;

/** Lets a page show the first blocks before the node is asked for anything that takes longer. */
export type BlocksFirst = {
  /** The node, whose other requests wait; if it is still starting, all of them wait until it runs. */
  over(node: UiNode): UiNode;
  /** Sends the waiting requests, and from then on each new one immediately. */
  open(): void;
  /** Resolves then. */
  readonly opened: Promise<void>;
};

export const createBlocksFirst = (): BlocksFirst => {
  const { promise: opened, resolve } = Promise.withResolvers<void>();
  let isOpen = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const open = (): void => {
    isOpen = true;
    clearTimeout(timer);
    resolve();
  };
  const over = (node: UiNode): UiNode => {
    let starting: Promise<unknown> | null = node.starting ?? null;
    const begin = (): void => {
      starting = null;
      timer = setTimeout(open, patienceMs);
    };
    if (starting === null) begin();
    // If it does not start, its requests report that.
    else starting.then(begin, open);
    /** What a call waits for; null if it may be sent. */
    const gate = (method: string): Promise<unknown> | null => {
      if (isForBlocks(method)) return starting;
      return isOpen ? null : opened;
    };
    const after = <T>(method: string, send: () => Promise<T>): Promise<T> =>
      gate(method)?.then(send, send) ?? send();
    return node.with({
      status: () => after('', node.status),
      request: (method, params, options) => after(method, () => node.request(method, params, options)),
      subscribe: (method, params, unsubscribe, onValue): UiSubscription => {
        const subscribe = () => node.subscribe(method, params, unsubscribe, onValue);
        const gated = gate(method);
        if (gated === null) return subscribe();
        let isWanted = true;
        let subscription: UiSubscription | null = null;
        const start = (): Promise<void> | undefined => {
          if (!isWanted) return undefined;
          subscription = subscribe();
          return subscription.opened;
        };
        return {
          opened: gated.then(start, start),
          close: () => {
            isWanted = false;
            subscription?.close();
          },
        };
      },
    });
  };
  return { over, open, opened };
};
