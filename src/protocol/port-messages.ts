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
