import type { NamedProvider } from '../../../src/index.ts';

const loadSockets = () => import('./socket-provider.ts');

/**
 * A node of a live chain to which the page opens the WebSockets, because what the page may reach follows its URL, and what the
 * worker's script may reach does not. The code that opens one is loaded with the first.
 */
export const pageEndpoint = (address: string): NamedProvider => ({
  name: address,
  provider: (onMessage, onClose) => {
    let isOver = false;
    const close = (why: string): void => {
      isOver = true;
      onClose(why);
    };
    const opening = loadSockets().then(({ openProvider }) => openProvider(address, onMessage, close));
    opening.catch((fault: unknown) => close(fault instanceof Error ? fault.message : String(fault)));
    /** Settles in order, so that messages which are sent early are sent first. */
    const then = (use: (socket: WebSocket) => void): void => void opening.then(use).catch(() => undefined);
    return {
      send: (text: string) => then((socket) => isOver || socket.send(text)),
      disconnect: () => {
        isOver = true;
        then((socket) => socket.close());
      },
    };
  },
});
