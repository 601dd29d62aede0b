import {
  type BridgeClient,
  createBundler,
  type PageNote,
  writeNumbered,
  writeTexts,
} from '../protocol/bridge.ts';
import { stricter } from '../protocol/deny-unsafe.ts';
import type { ConnectOptions } from '../protocol/node.ts';
import { type NumberedAnswer, type NumberedText, onPortMessage, type PortNote } from '../protocol/port.ts';

/** A program or page that uses the node through the bridge. */
export type SharedClient = BridgeClient & {
  readonly id: number;
  /** Whether it may make unsafe calls; decided when it connected. */
  readonly unsafe: boolean;
  /** When it connected, in ms since 1970. */
  readonly sinceMs: number;
};

export type ChannelOptions = {
  /** A new connection to the node. */
  openPort(options: ConnectOptions): Promise<MessagePort>;
  /** Whether clients may make unsafe calls; checked for each new client. */
  allowsUnsafe(): boolean;
  /** Called when the list of clients has changed. */
  onClients(clients: readonly SharedClient[]): void;
};

type ToNode = string | NumberedText | PortNote;
type Channel = {
  readonly client: SharedClient;
  port: MessagePort | null;
  /** Messages that arrived before the port was open. */
  readonly early: ToNode[];
};

/** Above `fullBytes` unsent bytes the node's subscriptions pause, until at most `drainedBytes` are left. */
const fullBytes = 1024 * 1024;
const drainedBytes = 256 * 1024;
const drainMs = 20;
const maxTextsPerFrame = 1000;
const maxChannels = 2000;

/**
 * Runs a function in one of the next turns of the event loop, because the node posts several messages in a
 * row.
 */
const createSoon = (): ((run: () => void) => void) => {
  const { port1, port2 } = new MessageChannel();
  let next = (): void => undefined;
  onPortMessage(port1, () => next());
  return (run) => {
    next = run;
    port2.postMessage(null);
  };
};

/** Calls `setBlocked` when the socket has too many unsent bytes, and again when it has sent most of them. */
const createPressure = (socket: WebSocket, setBlocked: (isBlocked: boolean) => void): (() => void) => {
  let isFull = false;
  const wait = (): void => {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > drainedBytes) setTimeout(wait, drainMs);
    else {
      isFull = false;
      setBlocked(false);
    }
  };
  return () => {
    if (isFull || socket.bufferedAmount < fullBytes) return;
    isFull = true;
    setBlocked(true);
    setTimeout(wait, drainMs);
  };
};

/** The frames for one message from the node on a client's port. */
const framesOf = (id: number, data: unknown): readonly string[] => {
  if (typeof data === 'string') return [writeTexts(id, data)];
  if (Array.isArray(data)) {
    const frames: string[] = [];
    for (let at = 0; at < data.length; at += maxTextsPerFrame)
      frames.push(writeTexts(id, data.slice(at, at + maxTextsPerFrame) as readonly string[]));
    return frames;
  }
  if (!('text' in (data as object))) return [];
  const { id: number, text } = data as NumberedAnswer;
  return [writeNumbered(id, number, text)];
};

/** The clients of one bridge, each with its own port to the node. */
export const createChannels = (socket: WebSocket, { openPort, allowsUnsafe, onClients }: ChannelOptions) => {
  const channels = new Map<number, Channel>();
  const soon = createSoon();
  const watch = createPressure(socket, (isBlocked) => {
    for (const { port } of channels.values())
      port?.postMessage({ note: 'blocked', isBlocked } satisfies PortNote);
  });
  const send = createBundler((message) => {
    if (socket.readyState !== socket.OPEN) return;
    socket.send(message);
    watch();
  }, soon);
  const changed = (): void => onClients([...channels.values()].map(({ client }) => client));

  /** Closes a channel; `isTold`: notify the bridge, which did not close it itself. */
  const close = (id: number, notifiesBridge: boolean): void => {
    const channel = channels.get(id);
    if (channel === undefined) return;
    channels.delete(id);
    channel.port?.postMessage({ note: 'bye' } satisfies PortNote);
    channel.port?.close();
    if (notifiesBridge) send(JSON.stringify({ note: 'closed', channel: id } satisfies PageNote));
    changed();
  };
  const forward = (id: number, data: unknown): void => {
    if ((data as PortNote).note === 'bye') close(id, true);
    else for (const frame of framesOf(id, data)) send(frame);
  };
  const join = async (id: number, channel: Channel, options: ConnectOptions): Promise<void> => {
    let port: MessagePort;
    try {
      port = await openPort(options);
    } catch {
      close(id, true);
      return;
    }
    if (channels.get(id) !== channel) {
      port.postMessage({ note: 'bye' } satisfies PortNote);
      port.close();
      return;
    }
    channel.port = port;
    port.addEventListener('close', () => close(id, true));
    onPortMessage(port, (data) => forward(id, data));
    for (const data of channel.early.splice(0)) port.postMessage(data);
  };

  return {
    /** Opens a channel for a new client, with the rights granted by the bridge. */
    open: (id: number, options: ConnectOptions, client: BridgeClient): void => {
      if (channels.has(id) || channels.size >= maxChannels) {
        send(JSON.stringify({ note: 'closed', channel: id } satisfies PageNote));
        return;
      }
      // The same marking as for guest pages of `tabnode serve`: polkadot-sdk.
      const denyUnsafe = allowsUnsafe() ? options.denyUnsafe : stricter(options.denyUnsafe, 'polkadot-sdk');
      const shown = { ...client, id, unsafe: denyUnsafe === false, sinceMs: Date.now() };
      const channel: Channel = { client: shown, port: null, early: [] };
      channels.set(id, channel);
      changed();
      void join(id, channel, { ...options, denyUnsafe });
    },
    post: (id: number, data: ToNode): void => {
      const channel = channels.get(id);
      if (channel?.port === null) channel.early.push(data);
      else channel?.port.postMessage(data);
    },
    close,
    closeAll: (notifiesBridge: boolean): void => {
      for (const id of [...channels.keys()]) close(id, notifiesBridge);
    },
  };
};
