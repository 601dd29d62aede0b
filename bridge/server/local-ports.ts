import type { BridgeClient } from '../../src/protocol/bridge.ts';
import type { ConnectOptions } from '../../src/protocol/node.ts';

/** The client that a port is for. `node` is the name of the node if there are several (`Directory`). */
export type PortClient = BridgeClient & { readonly node: string };

/** Opens a new port to the node's JSON-RPC. It is closed when the node stops. */
export type OpenPort = (options: ConnectOptions, client: PortClient) => Promise<MessagePort>;

type Listener = (data: unknown) => void;

/** A port whose other end is in the same thread, with only the methods that the node and the servers use. */
type LocalPort = {
  postMessage(message: unknown): void;
  on(event: 'message', listener: Listener): void;
  off(event: 'message', listener: Listener): void;
  addEventListener(event: 'close', onClose: () => void): void;
  close(): void;
};

const createEnd = (other: () => { take(message: unknown): void; end(): void }) => {
  const listeners = new Set<Listener>();
  const closes = new Set<() => void>();
  let early: unknown[] = [];
  let isOpen = true;
  const port: LocalPort = {
    postMessage: (message) => {
      if (isOpen) other().take(message);
    },
    on: (_event, listener) => {
      listeners.add(listener);
      const waiting = early;
      early = [];
      for (const message of waiting) listener(message);
    },
    off: (_event, listener) => void listeners.delete(listener),
    addEventListener: (_event, onClose) => void closes.add(onClose),
    close: () => {
      if (!isOpen) return;
      isOpen = false;
      other().end();
      for (const onClose of closes) onClose();
    },
  };
  const take = (message: unknown): void => {
    if (!isOpen) return;
    if (listeners.size === 0) early.push(message);
    for (const listener of listeners) listener(message);
  };
  return { port, take, end: port.close };
};

/**
 * Two connected ports within one thread. Messages are delivered synchronously and without a copy. A message
 * to another thread has to wake it, which alone takes as long as a native node's whole response
 * (docs/decisions/0011).
 */
export const createLocalPorts = (): readonly [near: MessagePort, far: MessagePort] => {
  const near: ReturnType<typeof createEnd> = createEnd(() => far);
  const far: ReturnType<typeof createEnd> = createEnd(() => near);
  return [near.port as unknown as MessagePort, far.port as unknown as MessagePort];
};
