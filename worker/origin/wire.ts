import { writeGivenJson } from '../../src/protocol/json.ts';
import { isPortNote, onPortMessage, type PortNote, whenReleased } from '../../src/protocol/port.ts';
import { bytesToText } from '../bytes/bytes.ts';

import { quote } from './problem.ts';

/** Sends JSON texts to an endpoint and receives its own. */
export type Wire = { send(text: string): void; close(): void };

export type WireEvents = {
  text(text: string): void;
  /** The other side ended the connection. */
  closed(why: string): void;
};

/** Rejects if there is no connection, or when the signal is aborted. */
export type OpenWire = (events: WireEvents, signal: AbortSignal) => Promise<Wire>;

/**
 * A JSON-RPC provider as polkadot-api, smoldot's wrapper and browser extensions define it. Messages are texts in
 * older versions of that interface and objects in newer ones.
 */
export type Provider = (onMessage: (message: unknown) => void) => {
  send(message: never): void;
  disconnect(): void;
};

const toText = (data: unknown): string => {
  if (typeof data === 'string') return data;
  if (data instanceof ArrayBuffer) return bytesToText(new Uint8Array(data));
  return writeGivenJson(data);
};

/** A WebSocket, as browsers and Node.js have it. */
export const webSocketWire =
  (WebSocketClass: typeof WebSocket, url: string): OpenWire =>
  (events, signal) =>
    new Promise((resolve, reject) => {
      const socket = new WebSocketClass(url);
      socket.binaryType = 'arraybuffer';
      let isOpen = false;
      const giveUp = (): void => {
        socket.close();
        reject(new Error('did not accept a connection in time'));
      };
      signal.addEventListener('abort', giveUp, { once: true });
      socket.onopen = () => {
        isOpen = true;
        signal.removeEventListener('abort', giveUp);
        resolve({ send: (text) => socket.send(text), close: () => socket.close() });
      };
      socket.onmessage = ({ data }: MessageEvent<unknown>) => {
        try {
          events.text(toText(data));
        } catch {
          events.closed('sent bytes that are not text');
        }
      };
      const end = ({ code = 0, reason = '' }: { readonly code?: number; readonly reason?: string }): void => {
        signal.removeEventListener('abort', giveUp);
        const why = [code > 0 ? ` (${code})` : '', reason === '' ? '' : `: ${quote(reason)}`].join('');
        if (isOpen) events.closed(`closed the connection${why}`);
        else reject(new Error('accepts no connection'));
      };
      // The error event of a WebSocket has no reason; Chromium emits no close event if a policy blocks it.
      socket.onerror = () => end({});
      socket.onclose = end;
    });

/** `form`: whether the provider takes messages as JSON texts or as objects. */
export const providerWire =
  (provider: Provider, form: 'text' | 'object'): OpenWire =>
  async (events) => {
    const connection = provider((message) => {
      try {
        events.text(toText(message));
      } catch {
        events.closed('sent a message that is not JSON');
      }
    });
    const send = connection.send as (message: unknown) => void;
    return {
      send: (text) => send.call(connection, form === 'text' ? text : JSON.parse(text)),
      close: () => connection.disconnect(),
    };
  };

const closePort = (port: MessagePort): void => {
  port.postMessage({ note: 'bye' } satisfies PortNote);
  port.close();
};

/** Rejects when the signal is aborted; a port that arrives later is closed. */
const whenOpened = (openPort: () => Promise<MessagePort>, signal: AbortSignal): Promise<MessagePort> =>
  new Promise((resolve, reject) => {
    const giveUp = (): void => reject(new Error('did not accept a connection in time'));
    signal.addEventListener('abort', giveUp, { once: true });
    openPort().then((port) => {
      signal.removeEventListener('abort', giveUp);
      if (signal.aborted) closePort(port);
      else resolve(port);
    }, reject);
  });

/** A port of a node or of a page. It is opened again for each connection. */
export const portWire =
  (openPort: () => Promise<MessagePort>): OpenWire =>
  async (events, signal) => {
    const port = await whenOpened(openPort, signal);
    const ended = new AbortController();
    const end = (): void => events.closed('closed the connection');
    port.addEventListener('close', end, { signal: ended.signal });
    onPortMessage(port, (data) => {
      if (typeof data === 'string') events.text(data);
      else if (Array.isArray(data)) for (const text of data as unknown[]) events.text(String(text));
      else if (isPortNote(data) && data.note === 'lock') whenReleased(data.lock, ended.signal, end);
      else if (isPortNote(data) && data.note === 'bye') {
        if (typeof data.reason === 'string') events.closed(quote(data.reason));
        else end();
      }
    });
    return {
      send: (text) => port.postMessage(text),
      close: () => {
        ended.abort();
        closePort(port);
      },
    };
  };
