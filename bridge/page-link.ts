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
import { isNumberedText, isPortNote, type NumberedAnswer } from '../src/protocol/port.ts';
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

/** A page that reads nothing while this much waits for it is disconnected. */
const maxWaitingBytes = 64 * 1024 * 1024;

/** Carries the messages of many clients over the WebSocket of one page. */
export const createPageLink = (socket: WebSocket): PageLink => {
  const ports = new Map<number, MessagePort>();
  let lastChannel = 0;
  const send = createBundler((message) => {
    if (socket.readyState !== socket.OPEN) return;
    socket.send(message);
    if (socket.bufferedAmount > maxWaitingBytes) socket.terminate();
  }, setImmediate);
  const note = (value: HostNote): void => send(JSON.stringify(value));
  const drop: PageLink['drop'] = (channel) => {
    const port = ports.get(channel);
    ports.delete(channel);
    port?.close();
  };
  const forward = (channel: number, data: unknown): void => {
    if (!ports.has(channel)) return;
    if (typeof data === 'string') send(writeTexts(channel, data));
    else if (isNumberedText(data)) send(writeNumbered(channel, data.id, data.text));
    else if (isPortNote(data) && data.note === 'blocked')
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
      ports.set(channel, far);
      note({ note: 'open', channel, options, client });
      hear(far, (data) => forward(channel, data));
      return near;
    },
    hear: (text) => {
      const frame = readFrame(text);
      if (frame === null) return socket.close(bridgeCloseCodes.badFrame, 'Not a frame');
      // The client may have left meanwhile.
      const port = ports.get(frame.channel);
      if (frame.number !== null)
        port?.postMessage({ id: frame.number, text: frame.text } satisfies NumberedAnswer);
      else port?.postMessage(frame.texts.length === 1 ? frame.texts[0] : frame.texts);
    },
    drop,
    end: () => {
      for (const channel of [...ports.keys()]) drop(channel);
    },
  };
};
