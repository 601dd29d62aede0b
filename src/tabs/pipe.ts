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

/**
 * Connects a port to another tab through a broadcast channel whose name only these two know, because ports
 * cannot be sent to another tab. Closing the port or the other end closes everything, and so does the signal.
 */
export const pipe = (
  port: MessagePort,
  name: string,
  signal: AbortSignal,
  onEnd: () => void = () => undefined,
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
    port.postMessage({ note: 'blocked', isBlocked } satisfies PortNote);
  };
  let isOpen = true;
  const end = (notifiesPeer: boolean): void => {
    if (!isOpen) return;
    isOpen = false;
    signal.removeEventListener('abort', close);
    port.postMessage({ note: 'bye' } satisfies PortNote);
    port.close();
    if (notifiesPeer) post({ end: true });
    channel.close();
    onEnd();
  };
  const close = (): void => end(true);
  const isBye = (data: unknown): boolean => (data as { readonly note?: unknown } | null)?.note === 'bye';

  onPortMessage(port, (data) => {
    if (isBye(data)) return end(true);
    untaken += 1;
    post({ data });
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
