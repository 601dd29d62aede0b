import { onPortMessage, type PortNote } from '../protocol/port.ts';

/** Messages between the two ends of a pipe: data from the port, the number of messages taken, or the end. */
type PipeMessage = { readonly data: unknown } | { readonly taken: number } | { readonly end: true };

/** Null for anything else. */
const parsePipeMessage = (data: unknown): PipeMessage | null => {
  if (typeof data !== 'object' || data === null) return null;
  if ('taken' in data)
    return Number.isSafeInteger(data.taken) && Number(data.taken) > 0 ? (data as PipeMessage) : null;
  return 'data' in data || 'end' in data ? (data as PipeMessage) : null;
};

/** Above this many messages not taken by the other tab, the node pauses subscriptions. */
const maxUntaken = 1000;
const ackEvery = 100;

/** How the two ends of a port are told what happens at the other one. */
type Kind = {
  /** Whether the port's message is its last one. */
  isLast(data: unknown): boolean;
  /** Whether the other tab is told of it. */
  readonly forwardsLast: boolean;
  /** Told to the port at the end. */
  readonly farewell: unknown;
  /** Tells the port whether too much waits in the other tab; null if its two ends take care of that themselves. */
  readonly note: ((isBlocked: boolean) => PortNote) | null;
};

const isBye = (data: unknown): boolean => (data as { readonly note?: unknown } | null)?.note === 'bye';

const client: Kind = {
  isLast: isBye,
  forwardsLast: false,
  farewell: { note: 'bye' } satisfies PortNote,
  note: (isBlocked) => ({ note: 'blocked', isBlocked }),
};

/** The reason of an end is a text, and the last message of a link (`NetworkPortMessage`). */
const link: Kind = {
  isLast: (data) => typeof data === 'string',
  forwardsLast: true,
  farewell: 'The other tab is gone',
  note: null,
};

const connect = (
  kind: Kind,
  port: MessagePort,
  name: string,
  signal: AbortSignal,
  onEnd: () => void,
): void => {
  const channel = new BroadcastChannel(name);
  let untaken = 0;
  let taken = 0;
  let isBlocked = false;
  const post = (message: PipeMessage): void => channel.postMessage(message);
  const update = (): void => {
    const isFull = untaken > maxUntaken;
    if (isFull === isBlocked) return;
    isBlocked = isFull;
    if (kind.note !== null) port.postMessage(kind.note(isBlocked));
  };
  let isOpen = true;
  const end = (notifiesPeer: boolean): void => {
    if (!isOpen) return;
    isOpen = false;
    signal.removeEventListener('abort', close);
    port.postMessage(kind.farewell);
    port.close();
    if (notifiesPeer) post({ end: true });
    channel.close();
    onEnd();
  };
  const close = (): void => end(true);

  onPortMessage(port, (data) => {
    const isLast = kind.isLast(data);
    if (!isLast || kind.forwardsLast) post({ data });
    if (isLast) return end(true);
    untaken += 1;
    update();
  });
  port.addEventListener('close', close);
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    const message = parsePipeMessage(data);
    if (message === null) return;
    if ('end' in message) return end(false);
    if ('taken' in message) {
      untaken = Math.max(0, untaken - message.taken);
      return update();
    }
    port.postMessage(message.data);
    taken += 1;
    if (taken < ackEvery) return;
    post({ taken });
    taken = 0;
  };
  if (signal.aborted) close();
  else signal.addEventListener('abort', close, { once: true });
};

const nothing = (): void => undefined;

/**
 * Connects a port to another tab through a broadcast channel whose name only these two know, because ports
 * cannot be sent to another tab. Closing the port or the other end closes everything, and so does the signal.
 */
export const pipe = (port: MessagePort, name: string, signal: AbortSignal, onEnd = nothing): void =>
  connect(client, port, name, signal, onEnd);

/** The same for a port that carries the bytes of a connection between two nodes. */
export const pipeLink = (port: MessagePort, name: string, signal: AbortSignal, onEnd = nothing): void =>
  connect(link, port, name, signal, onEnd);
