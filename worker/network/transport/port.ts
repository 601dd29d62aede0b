import { createAcknowledger, type NetworkPortMessage } from '../../../src/protocol/network.ts';
import { onPortMessage } from '../../../src/protocol/port.ts';
import type { Carrier, CarrierEvents } from './carrier.ts';

/**
 * A carrier over a MessagePort, to another node of this browser or to a socket in the thread that serves them. The
 * other side acknowledges what it has taken.
 */
export const portCarrier = (port: MessagePort): Carrier => {
  let waiting = 0;
  let events: CarrierEvents | null = null;
  let isClosed = false;
  const post = (message: NetworkPortMessage): void => port.postMessage(message);
  const acknowledge = createAcknowledger(post);
  const onClose = (reason: string): void => {
    if (isClosed) return;
    isClosed = true;
    port.close();
    events?.close(reason);
  };
  const onMessage = (data: unknown): void => {
    if (isClosed) return;
    if (typeof data === 'number') {
      waiting = Math.max(0, waiting - data);
      events?.drain();
    } else if (data instanceof Uint8Array) {
      acknowledge(data.length);
      events?.bytes(data);
    } else onClose(typeof data === 'string' ? data : 'The other side sent something else than bytes');
  };
  return {
    send: (bytes) => {
      if (isClosed) return;
      waiting += bytes.length;
      post(bytes);
    },
    buffered: () => waiting,
    close: () => {
      if (isClosed) return;
      post('The other side has closed the connection');
      isClosed = true;
      port.close();
    },
    listen: (listener) => {
      events = listener;
      // Node.js and some browsers tell when the other side is gone.
      port.addEventListener('close', () => onClose('The other side is gone'));
      onPortMessage(port, onMessage);
    },
  };
};
