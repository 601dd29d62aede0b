import type { Priority } from '../connection.ts';
import { ProtocolError } from '../protocol-error.ts';
import type { Channel } from './channel.ts';
import { flags, frameTypes, headerBytes, writeHeader } from './frames.ts';

/** Small enough that others get their turn soon. */
const maxBodyBytes = 16 * 1024;
/** A frame is not cut into less than this because a buffer is nearly full. */
const leastBodyBytes = 512;
/** Other nodes ping once in a while and wait for the response. */
const maxPongs = 64;
const maxResets = 1024;

const priorities: readonly Priority[] = ['vote', 'announce', 'answer'];

type Waiting = Readonly<Record<Priority, Channel[]>>;

const canSend = ({ queue, window, isFinishing, isFinished, isGone }: Channel): boolean =>
  !isGone && (queue.size() > 0 ? window > 0 : isFinishing && !isFinished);

/** Writes the next part of a channel; returns `at` if there is too little space for it. */
const writeData = (channel: Channel, target: Uint8Array, at: number, end: number): number => {
  const { id, queue, window } = channel;
  const wanted = Math.min(queue.size(), window, maxBodyBytes);
  const length = Math.min(wanted, end - at - headerBytes);
  if (length < 0 || (length < wanted && length < leastBodyBytes)) return at;
  // In a frame of its own: js-libp2p drops the bytes of a frame that ends a stream.
  const isLast = length === 0;
  const frame = { type: frameTypes.data, flags: channel.pending | (isLast ? flags.fin : 0), id, length };
  const body = writeHeader(target, at, frame);
  queue.move(target, body, length);
  channel.window -= length;
  channel.pending = 0;
  channel.isFinished = isLast;
  return body + length;
};

/** Frames without data: what is allowed, acknowledged, answered and refused. */
const createShortFrames = () => {
  const updates = new Set<Channel>();
  const pongs: number[] = [];
  const resets: number[] = [];
  const writeUpdate = (channel: Channel, target: Uint8Array, at: number): number => {
    const length = channel.isEndedByThem ? 0 : Math.max(0, channel.wantedRoom - channel.room);
    // The flag of a channel that is about to send leaves with its data.
    const isDue = length > 0 || (channel.pending !== 0 && !channel.isWaiting);
    if (channel.isGone || !isDue) return at;
    channel.room += length;
    const { id, pending } = channel;
    channel.pending = 0;
    return writeHeader(target, at, { type: frameTypes.window, flags: pending, id, length });
  };
  return {
    /** Acknowledges a channel, or lets the other side send more. */
    update: (channel: Channel): void => void updates.add(channel),
    /** Throws `ProtocolError` if the other side pings faster than it reads. */
    pong: (value: number): void => {
      if (pongs.length === maxPongs) throw new ProtocolError('The other side sends too many pings');
      pongs.push(value);
    },
    /** Throws `ProtocolError` if too many channels of the other side are refused. */
    reset: (id: number): void => {
      if (resets.length === maxResets) throw new ProtocolError('The other side opens too many streams');
      resets.push(id);
    },
    fill: (target: Uint8Array, from: number, end: number): number => {
      let at = from;
      const hasSpace = (): boolean => end - at >= headerBytes;
      while (pongs.length > 0 && hasSpace()) {
        const length = pongs.shift() as number;
        at = writeHeader(target, at, { type: frameTypes.ping, flags: flags.ack, id: 0, length });
      }
      while (resets.length > 0 && hasSpace()) {
        const id = resets.shift() as number;
        at = writeHeader(target, at, { type: frameTypes.window, flags: flags.rst, id, length: 0 });
      }
      for (const channel of updates) {
        if (!hasSpace()) break;
        updates.delete(channel);
        at = writeUpdate(channel, target, at);
      }
      return at;
    },
  };
};

export type Outbox = ReturnType<typeof createOutbox>;

/** The frames that wait to be written: short ones first, then data by priority and in turns. */
export const createOutbox = (onWritten: (channel: Channel, bytes: number) => void) => {
  const waiting: Waiting = { vote: [], announce: [], answer: [] };
  const { update, pong, reset, fill: fillShort } = createShortFrames();
  const schedule = (channel: Channel): void => {
    if (channel.isWaiting || !canSend(channel)) return;
    channel.isWaiting = true;
    waiting[channel.priority].push(channel);
  };
  const fillData = (list: Channel[], target: Uint8Array, from: number, end: number): number => {
    let at = from;
    for (let channel = list[0]; channel !== undefined; channel = list[0]) {
      const isDue = canSend(channel);
      const before = channel.queue.size();
      const next = isDue ? writeData(channel, target, at, end) : at;
      if (isDue && next === at) break;
      at = next;
      list.shift();
      channel.isWaiting = false;
      schedule(channel);
      onWritten(channel, before - channel.queue.size());
    }
    return at;
  };
  return {
    ...{ update, pong, reset },
    /** Gives a channel its turn when there is something to send. */
    schedule,
    /** Changes its priority, also while it waits. */
    move: (channel: Channel, priority: Priority): void => {
      if (channel.isWaiting) {
        const list = waiting[channel.priority];
        list.splice(list.indexOf(channel), 1);
        channel.isWaiting = false;
      }
      channel.priority = priority;
      schedule(channel);
    },
    /** Writes whole frames; data only of this priority and higher ones. Returns where it stopped. */
    fill: (target: Uint8Array, from: number, end: number, lowest: Priority): number => {
      let at = fillShort(target, from, end);
      for (const priority of priorities) {
        at = fillData(waiting[priority], target, at, end);
        if (priority === lowest) break;
      }
      return at;
    },
  };
};
