import type { Framing, Priority, StreamLimits } from './connection.ts';
import { encodeVarint } from './framing.ts';
import type { Channel } from './yamux/channel.ts';
import type { Mux } from './yamux/yamux.ts';

const answerQueueBytes = 17 * 1024 * 1024;
const otherQueueBytes = 1024 * 1024;
/** Of all streams of a connection, so that those with a higher priority have room when the others are full. */
const mostQueuedBytes: Readonly<Record<Priority, number>> = {
  answer: 32 * 1024 * 1024,
  announce: 48 * 1024 * 1024,
  vote: 52 * 1024 * 1024,
};

/** A queue that holds no more than the agreement on a name takes any message. */
const nearlyEmptyBytes = 4096;

export type SendingDeps = {
  readonly mux: () => Pick<Mux, 'push' | 'finish' | 'queued'>;
  /** Null when the stream is over. */
  readonly channel: () => Channel | null;
  /** Something is to be sent. */
  readonly onOutput: () => void;
};

/** What this side sends on a stream: the agreement on a name, then messages. */
export const createSending = ({ mux, channel, onOutput }: SendingDeps) => {
  /** Messages that may not follow the proposal of a name. */
  let held: Uint8Array[] | null = null;
  let heldBytes = 0;
  let isClosed = false;
  let framing: Framing = 'length';
  let maxQueuedBytes = otherQueueBytes;
  const queued = (): number => (channel()?.queue.size() ?? 0) + heldBytes;
  const push = (bytes: Uint8Array): void => {
    const target = channel();
    if (target === null) return;
    mux().push(target, bytes);
    onOutput();
  };
  const pushMessage = (message: Uint8Array): void => {
    if (framing === 'length') push(encodeVarint(message.length));
    push(message);
  };
  const finish = (): void => {
    const target = channel();
    if (target === null) return;
    mux().finish(target);
    onOutput();
  };
  const hasRoom = (bytes: number, priority: Priority): boolean => {
    const before = queued();
    if (before > nearlyEmptyBytes && before + bytes > maxQueuedBytes) return false;
    return mux().queued() + bytes <= mostQueuedBytes[priority];
  };
  return {
    queued,
    push,
    configure: (limits: StreamLimits): void => {
      framing = limits.framing ?? 'length';
      const standard = limits.priority === 'answer' ? answerQueueBytes : otherQueueBytes;
      maxQueuedBytes = limits.maxQueuedBytes ?? standard;
    },
    /** Keeps messages until `release`. */
    hold: (): void => {
      held = [];
    },
    release: (): void => {
      if (held === null) return;
      const messages = held;
      held = null;
      heldBytes = 0;
      for (const message of messages) pushMessage(message);
      if (isClosed) finish();
    },
    send: (message: Uint8Array): boolean => {
      const target = channel();
      if (isClosed || target === null) return false;
      if (framing !== 'length' && framing.fixed !== message.length)
        throw new RangeError(`Messages of this stream have ${framing.fixed} bytes, not ${message.length}`);
      if (!hasRoom(message.length, target.priority)) return false;
      if (held === null) pushMessage(message);
      else {
        held.push(message);
        heldBytes += message.length;
      }
      return true;
    },
    close: (): void => {
      if (isClosed) return;
      isClosed = true;
      if (held === null) finish();
    },
  };
};
