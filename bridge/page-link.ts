import type { WebSocket } from 'ws';
import {
  type BridgeClient,
  bridgeCloseCodes,
  createBundler,
  type HostNote,
  readFrame,
  writeNumbered,
  writeTexts,
} from '../src/protocol/bridge.ts';
import { hear } from '../src/protocol/hear.ts';
import type { ConnectOptions } from '../src/protocol/node.ts';
import { isNumberedText, isPortNote, type NumberedAnswer, type PortNote } from '../src/protocol/port.ts';
import { createLocalPorts } from './local-ports.ts';

/** The node of a page, as far as this bridge uses it. */
export type PageLink = {
  /** A port to the page's node, which is closed when the page leaves. */
  openPort(options: ConnectOptions, client: BridgeClient): MessagePort;
  /** Messages to the clients. */
  hear(frame: string): void;
  /** The page ended a channel. */
  drop(channel: number): void;
  /** The page is gone: every port is closed. */
  end(): void;
};

/** While more than this waits for a page, its clients' requests are not read; below the lower number they are again. */
const fullBytes = 8 * 1024 * 1024;
const drainedBytes = 1024 * 1024;
/** What was read before, and HTTP bodies, may add up to this; then calls over HTTP are refused, and at last the page. */
const maxHttpBytes = 64 * 1024 * 1024;
const maxBytes = 256 * 1024 * 1024;

const busyText = JSON.stringify({
  jsonrpc: '2.0',
  id: null,
  error: { code: -32000, message: 'The page has too many requests to read' },
});

/** Carries the messages of many clients over the WebSocket of one page. */
export const createPageLink = (socket: WebSocket): PageLink => {
  const ports = new Map<number, { readonly port: MessagePort; readonly isNumbered: boolean }>();
  let lastChannel = 0;
  let isFull = false;
  const tell = (isBlocked: boolean): void => {
    isFull = isBlocked;
    for (const { port, isNumbered } of ports.values())
      if (!isNumbered) port.postMessage({ note: 'blocked', isBlocked } satisfies PortNote);
  };
  const sent = (): void => {
    if (isFull && socket.bufferedAmount < drainedBytes) tell(false);
  };
  const send = createBundler((message) => {
    if (socket.readyState !== socket.OPEN) return;
    socket.send(message, sent);
    if (socket.bufferedAmount > maxBytes) socket.terminate();
    else if (!isFull && socket.bufferedAmount > fullBytes) tell(true);
  }, setImmediate);
  const note = (value: HostNote): void => send(JSON.stringify(value));
  const drop: PageLink['drop'] = (channel) => {
    const found = ports.get(channel);
    ports.delete(channel);
    found?.port.close();
  };
  const forward = (channel: number, data: unknown): void => {
    if (!ports.has(channel)) return;
    if (typeof data === 'string') send(writeTexts(channel, data));
    else if (isNumberedText(data)) {
      if (socket.bufferedAmount < maxHttpBytes) send(writeNumbered(channel, data.id, data.text));
      else ports.get(channel)?.port.postMessage({ id: data.id, text: busyText } satisfies NumberedAnswer);
    } else if (isPortNote(data) && data.note === 'blocked')
      note({ note: 'blocked', channel, isBlocked: data.isBlocked });
    else if (isPortNote(data) && data.note === 'bye') {
      note({ note: 'close', channel });
      drop(channel);
    }
  };
  return {
    openPort: (options, client) => {
      lastChannel += 1;
      const channel = lastChannel;
      const [near, far] = createLocalPorts();
      ports.set(channel, { port: far, isNumbered: options.transport === 'http' });
      note({ note: 'open', channel, options, client });
      hear(far, (data) => forward(channel, data));
      return near;
    },
    hear: (text) => {
      const frame = readFrame(text);
      // The client may have left meanwhile.
      const found = frame === null ? undefined : ports.get(frame.channel);
      if (frame === null || (found !== undefined && found.isNumbered !== (frame.number !== null)))
        socket.close(bridgeCloseCodes.badFrame, 'Not a frame');
      else if (frame.number !== null)
        found?.port.postMessage({ id: frame.number, text: frame.text } satisfies NumberedAnswer);
      else found?.port.postMessage(frame.texts.length === 1 ? frame.texts[0] : frame.texts);
    },
    drop,
    end: () => {
      for (const channel of [...ports.keys()]) drop(channel);
    },
  };
};
