import type { Endpoint } from 'comlink';

type OnMessage = (data: unknown) => void;
/** Methods that Node.js adds to the web's MessagePort. */
type Emitter = {
  on(event: 'message', callback: OnMessage): unknown;
  off(event: 'message', callback: OnMessage): unknown;
};
export type NodePort = Emitter & { postMessage(message: unknown, transfer?: readonly never[]): void };

/** A port of Node.js, which emits `close` when its other side is gone. */
export const isNodePort = (port: object): port is Emitter => 'on' in port;

/**
 * Calls back with the data of each further message on a port. In Node.js this does not use events, because
 * the first `MessageEvent` of a thread makes Node.js load all of its fetch, which takes 50 ms.
 */
export const onPortMessage = (port: MessagePort, callback: OnMessage): void => {
  if (isNodePort(port)) port.on('message', callback);
  else port.onmessage = ({ data }: { data: unknown }) => callback(data);
};

/** A Node.js port as an endpoint for Comlink, also without events. */
export const nodeEndpoint = (port: NodePort): Endpoint => {
  const callbacks = new WeakMap<object, OnMessage>();
  return {
    postMessage: (message, transfer) => port.postMessage(message, (transfer ?? []) as never[]),
    addEventListener: (_type, listener) => {
      const callback: OnMessage = (data) => {
        const event = { data } as MessageEvent;
        if (typeof listener === 'function') listener(event);
        else listener.handleEvent(event);
      };
      callbacks.set(listener, callback);
      port.on('message', callback);
    },
    removeEventListener: (_type, listener) => {
      const callback = callbacks.get(listener);
      if (callback !== undefined) port.off('message', callback);
    },
  };
};

/**
 * Messages on a client's port other than JSON-RPC texts: the name of the lock the client holds, whether the
 * transport of its texts is full, and its closing message; `reason`: why a bridge closes the port. While too many
 * messages wait (`blocked`), subscriptions pause and no call starts; while too many bytes do (`full`), no call
 * starts.
 */
export type PortNote =
  | { readonly note: 'lock'; readonly lock: string }
  | { readonly note: 'blocked'; readonly isBlocked: boolean }
  | { readonly note: 'full'; readonly isFull: boolean }
  | { readonly note: 'bye'; readonly reason?: string };

export const isPortNote = (data: unknown): data is PortNote => {
  if (typeof data !== 'object' || data === null) return false;
  const { note, lock, isBlocked, isFull } = data as Readonly<Record<string, unknown>>;
  if (note === 'blocked') return typeof isBlocked === 'boolean';
  if (note === 'full') return typeof isFull === 'boolean';
  return note === 'bye' || (note === 'lock' && typeof lock === 'string');
};

/**
 * On a port of transport `http`: a text and the number that its response repeats; the response to
 * notifications is null.
 */
export type NumberedText = { readonly id: number; readonly text: string };
export type NumberedAnswer = { readonly id: number; readonly text: string | null };

export const isNumberedText = (data: unknown): data is NumberedText => {
  if (typeof data !== 'object' || data === null) return false;
  const { id, text } = data as Readonly<Record<string, unknown>>;
  return typeof id === 'number' && typeof text === 'string';
};

type Locks = Pick<LockManager, 'request'>;

/** The page's or worker's Web Locks; null if there are none. */
const findLocks = (): Locks | null =>
  (globalThis as { navigator?: { locks?: Locks } }).navigator?.locks ?? null;

/**
 * Holds a lock until the signal fires, so that whoever waits for it learns when this side is gone. `onHeld`
 * is called once it is held, `onStolen` if another page or worker steals it.
 */
export const holdLock = (
  name: string,
  signal: AbortSignal,
  onHeld: () => void,
  onStolen: () => void = () => undefined,
): void => {
  const held = (): Promise<void> => {
    onHeld();
    return new Promise((release) => signal.addEventListener('abort', () => release(), { once: true }));
  };
  findLocks()
    ?.request(name, { signal }, held)
    .catch(({ name: fault }: DOMException) => {
      // A browser may deny the lock, which is no theft.
      if (!signal.aborted && fault === 'AbortError') onStolen();
    });
};

/** Calls back once the lock's holder is gone. */
export const whenReleased = (name: string, signal: AbortSignal, run: () => void): void => {
  findLocks()
    ?.request(name, { signal }, run)
    .catch(() => undefined);
};
