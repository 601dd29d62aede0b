import type { Priority } from '../connection.ts';
import { type ByteQueue, createByteQueue } from './byte-queue.ts';

/** Both directions begin with this many bytes that may be sent. */
export const firstWindowBytes = 256 * 1024;

export type ChannelEvents = {
  /** A view that is valid during the call only. */
  data(bytes: Uint8Array): void;
  /** `ended`: the other side sends nothing more. Otherwise the channel is gone. Called once at most. */
  end(reason: 'ended' | 'reset' | 'closed'): void;
  /** Both directions are over. Called exactly once. */
  gone(): void;
};

/** A stream of yamux: bytes, without messages or protocol. Only the multiplexer and its outbox change it. */
export type Channel = {
  readonly id: number;
  readonly isOwn: boolean;
  readonly queue: ByteQueue;
  events: ChannelEvents;
  priority: Priority;
  /** How many bytes the other side may be sent, and how many it may send. */
  window: number;
  room: number;
  /** How many it should be allowed to send. */
  wantedRoom: number;
  /** Flags for the next frame: that the stream is opened or accepted. */
  pending: number;
  isAcknowledged: boolean;
  isFinishing: boolean;
  isFinished: boolean;
  isEndedByThem: boolean;
  isGone: boolean;
  /** Whether it waits in the outbox for its turn. */
  isWaiting: boolean;
};

export const createChannel = (
  id: number,
  isOwn: boolean,
  pending: number,
  events: ChannelEvents,
  priority: Priority,
): Channel => ({
  ...{ id, isOwn, queue: createByteQueue(), events, priority, pending },
  ...{ window: firstWindowBytes, room: firstWindowBytes, wantedRoom: firstWindowBytes },
  ...{ isAcknowledged: !isOwn, isFinishing: false, isFinished: false, isEndedByThem: false },
  ...{ isGone: false, isWaiting: false },
});
