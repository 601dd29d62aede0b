import type { WebSocket } from 'ws';
import {
  type BridgeClient,
  bridgeCloseCodes,
  createBundler,
  type HostNote,
  readFrame,
  writeNumbered,
  writeTexts,
} from '../../src/protocol/bridge.ts';
import type { ConnectOptions } from '../../src/protocol/node.ts';
import {
  isNumberedText,
  isPortNote,
  type NumberedAnswer,
  type NumberedText,
  onPortMessage,
  type PortNote,
} from '../../src/protocol/port.ts';
import { readIds } from '../../src/protocol/request-ids.ts';
import { createLocalPorts } from '../server/local-ports.ts';
import {
  busyText,
  closedText,
  createPendingCalls,
  type PendingCalls,
  writeLostText,
} from '../server/pending-calls.ts';

/** The connection to a page's node. */
export type PageLink = {
  /** Opens a port to the page's node. It is closed when the page disconnects. */
  openPort(options: ConnectOptions, client: BridgeClient): MessagePort;
  /** Handles a frame from the page. */
  receive(frame: string): void;
  /** Called when the page has closed a channel. */
  drop(channel: number): void;
  /** Called when the page is disconnected. Pending calls get `reason` as their error, and every port is closed. */
  end(reason: string): void;
};

/**
 * Requests of WebSocket clients are paused while more than `fullBytes` wait for the page, until fewer than
 * `drainedBytes` do.
 */
const fullBytes = 8 * 1024 * 1024;
const drainedBytes = 1024 * 1024;
/**
 * HTTP bodies and requests already read still add to the queue. Above `maxHttpBytes`, calls over HTTP are
 * refused; above `maxBytes`, the page is disconnected.
 */
const maxHttpBytes = 64 * 1024 * 1024;
const maxBytes = 256 * 1024 * 1024;

/** One port; `calls` of a WebSocket. Those over HTTP are counted where they come in (http-calls.ts). */
type Channel = { readonly port: MessagePort; readonly calls: PendingCalls | null };

/** Requests of a channel that the page cannot take. */
const refuse = (port: MessagePort, { id, text }: NumberedText): void =>
  port.postMessage({ id, text: writeLostText(readIds(text), busyText) } satisfies NumberedAnswer);

/** Multiplexes the messages of many clients over one page's WebSocket. */
export const createPageLink = (socket: WebSocket): PageLink => {
  const channels = new Map<number, Channel>();
  let lastChannel = 0;
  let isFull = false;
  const setBlocked = (isBlocked: boolean): void => {
    isFull = isBlocked;
    for (const { port, calls } of channels.values())
      if (calls !== null) port.postMessage({ note: 'blocked', isBlocked } satisfies PortNote);
  };
  const sent = (): void => {
    if (isFull && socket.bufferedAmount < drainedBytes) setBlocked(false);
  };
  const send = createBundler((message) => {
    if (socket.readyState !== socket.OPEN) return;
    socket.send(message, sent);
    if (socket.bufferedAmount > maxBytes) socket.terminate();
    else if (!isFull && socket.bufferedAmount > fullBytes) setBlocked(true);
  }, setImmediate);
  const note = (value: HostNote): void => send(JSON.stringify(value));
  /** `reason`: for its pending calls and its client; null if the client is gone. */
  const close = (channel: number, reason: string | null): void => {
    const found = channels.get(channel);
    if (found === undefined) return;
    channels.delete(channel);
    if (reason !== null && found.calls !== null) {
      for (const text of found.calls.fail(reason)) found.port.postMessage(text);
      found.port.postMessage({ note: 'bye', reason } satisfies PortNote);
    }
    found.port.close();
  };
  const forward = (channel: number, data: unknown): void => {
    const found = channels.get(channel);
    if (found === undefined) return;
    if (typeof data === 'string') {
      found.calls?.sent(data);
      send(writeTexts(channel, data));
    } else if (isNumberedText(data)) {
      if (socket.bufferedAmount < maxHttpBytes) send(writeNumbered(channel, data.id, data.text));
      else refuse(found.port, data);
    } else if (isPortNote(data) && data.note === 'blocked')
      note({ note: 'blocked', channel, isBlocked: data.isBlocked });
    else if (isPortNote(data) && data.note === 'full') note({ note: 'full', channel, isFull: data.isFull });
    else if (isPortNote(data) && data.note === 'bye') {
      note({ note: 'close', channel });
      close(channel, null);
    }
  };
  return {
    openPort: (options, client) => {
      lastChannel += 1;
      const channel = lastChannel;
      const [near, far] = createLocalPorts();
      channels.set(channel, { port: far, calls: options.transport === 'http' ? null : createPendingCalls() });
      note({ note: 'open', channel, options, client });
      onPortMessage(far, (data) => forward(channel, data));
      return near;
    },
    receive: (text) => {
      const frame = readFrame(text);
      // The client may have disconnected in the meantime.
      const found = frame === null ? undefined : channels.get(frame.channel);
      if (frame === null || (found !== undefined && (found.calls === null) !== (frame.number !== null)))
        socket.close(bridgeCloseCodes.badFrame, 'Not a frame');
      else if (frame.number !== null)
        found?.port.postMessage({ id: frame.number, text: frame.text } satisfies NumberedAnswer);
      else if (found !== undefined) {
        for (const text of frame.texts) found.calls?.answered(text);
        found.port.postMessage(frame.texts.length === 1 ? frame.texts[0] : frame.texts);
      }
    },
    drop: (channel) => close(channel, closedText),
    end: (reason) => {
      for (const channel of [...channels.keys()]) close(channel, reason);
    },
  };
};
