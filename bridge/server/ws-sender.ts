import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { drainedBytes, fullBytes } from '../../src/protocol/limits.ts';
import type { PortNote } from '../../src/protocol/port.ts';
import type { Outgoing, OutputBudget } from './output-budget.ts';

/** The socket is not read while at least one reason is on. */
export type Pause = (reason: 'messages' | 'bytes' | 'requests', isOn: boolean) => void;

export const createPause = (socket: WebSocket): Pause => {
  const reasons = new Set<string>();
  return (reason, isOn) => {
    if (isOn) reasons.add(reason);
    else reasons.delete(reason);
    if (reasons.size > 0) socket.pause();
    else socket.resume();
  };
};

/** How much is sent at once. More would delay the first responses. */
const maxTogether = 32;
const maxTogetherBytes = 64 * 1024;

/**
 * Collects the messages of one turn, so that the system is called once for them: a call takes longer than most responses. Returns
 * a function to call before each message.
 */
export const createCork = (stream: Pick<Duplex, 'cork' | 'uncork'>): ((characters: number) => void) => {
  let messages = 0;
  let characters = 0;
  const release = (): void => {
    if (messages === 0) return;
    messages = 0;
    characters = 0;
    stream.uncork();
  };
  return (length) => {
    if (messages >= maxTogether || characters + length > maxTogetherBytes) release();
    if (length > maxTogetherBytes) return;
    if (messages === 0) {
      stream.cork();
      process.nextTick(release);
    }
    messages += 1;
    characters += length;
  };
};

/** How long a client has to read what waits for it and the reason, before it is disconnected without. */
const graceMs = 2000;

/** Counts what waits for a client. */
export const openOutgoing = (outputBudget: OutputBudget, socket: WebSocket): Outgoing => {
  const kill = (): void => socket.terminate();
  const outgoing = outputBudget.open({
    unsentBytes: () => socket.bufferedAmount,
    end: (reason) => {
      // Otherwise its own close frame would never be read.
      socket.resume();
      socket.close(1008, reason);
      const timer = setTimeout(kill, graceMs);
      socket.once('close', () => clearTimeout(timer));
    },
    kill,
  });
  socket.once('close', outgoing.leave);
  return outgoing;
};

export type SenderDeps = {
  readonly socket: WebSocket;
  /** The connection under the socket. */
  readonly stream: Pick<Duplex, 'cork' | 'uncork'>;
  /** How many messages may wait. */
  readonly capacity: number;
  readonly outputBudget: OutputBudget;
  readonly outgoing: Outgoing;
  notifyNode(note: PortNote): void;
  readonly pause: Pause;
};

/**
 * Sends the node's messages to a client. While `capacity` messages wait, no further requests are read from it,
 * and the node is notified so that its subscriptions and calls pause; while too many bytes wait, so that its calls do.
 */
export const createSender = ({
  socket,
  stream,
  capacity,
  outputBudget,
  outgoing,
  notifyNode,
  pause,
}: SenderDeps) => {
  const collect = createCork(stream);
  let waiting = 0;
  let isBlocked = false;
  let isFull = false;
  const update = (): void => {
    const unsent = socket.bufferedAmount;
    // Data that the system has accepted is not queued, even if its callbacks are pending.
    const isBlockedNow = waiting >= capacity && unsent > 0;
    if (isBlockedNow !== isBlocked) {
      isBlocked = isBlockedNow;
      pause('messages', isBlocked);
      notifyNode({ note: 'blocked', isBlocked });
    }
    const isFullNow = unsent > (isFull || outputBudget.isTight() ? drainedBytes : fullBytes);
    if (isFullNow === isFull) return;
    isFull = isFullNow;
    pause('bytes', isFull);
    notifyNode({ note: 'full', isFull });
  };
  const sent = (): void => {
    waiting -= 1;
    outgoing.update();
    update();
  };
  return (data: string | readonly string[]): void => {
    for (const text of typeof data === 'string' ? [data] : data) {
      waiting += 1;
      collect(text.length);
      socket.send(text, sent);
    }
    outgoing.update();
    update();
  };
};
