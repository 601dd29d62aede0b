import type { Priority } from '../connection.ts';
import { ProtocolError } from '../protocol-error.ts';
import { type Channel, type ChannelEvents, createChannel, firstWindowBytes } from './channel.ts';
import { createFrameReader, type Frame, flags, frameTypes, headerBytes, writeHeader } from './frames.ts';
import { createOutbox, type Outbox } from './outbox.ts';

/** Of each side. */
const maxChannels = 512;
/** Streams of ours that the other side has not acknowledged; more end the connection in other implementations. */
const maxUnacknowledged = 256;
const largestWindow = 2 ** 32 - 1;
/** In a frame for a channel that is gone: what it may have been allowed to send. */
const maxStrayBytes = 32 * 1024 * 1024;
/** Frames shorter than this are counted: at most this many at once, and so many per second. */
const shortBytes = 256;
const maxShortFrames = 20_000;
const shortFramesPerMs = 10;

export type Mux = {
  /** Throws `ProtocolError`. */
  receive(bytes: Uint8Array): void;
  /** Null if too many streams are open. The first bytes that are pushed open it for the other side. */
  open(events: ChannelEvents, priority: Priority): Channel | null;
  push(channel: Channel, bytes: Uint8Array): void;
  /** Ends this direction after what is queued. */
  finish(channel: Channel): void;
  reset(channel: Channel): void;
  /** Lets the other side send so many bytes. */
  allow(channel: Channel, bytes: number): void;
  prioritize(channel: Channel, priority: Priority): void;
  fill: Outbox['fill'];
  /** Bytes that wait in all channels. */
  queued(): number;
  /** Ends all channels. */
  end(): void;
};

export type MuxDeps = {
  readonly isDialer: boolean;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Receives each channel that the other side opens, and gives it its events. */
  readonly onChannel: (channel: Channel) => void;
};

/** The last frame of a connection. */
export const goAway = (isFault: boolean): Uint8Array => {
  const frame = new Uint8Array(headerBytes);
  writeHeader(frame, 0, { type: frameTypes.goAway, flags: 0, id: 0, length: isFault ? 1 : 0 });
  return frame;
};

const noEvents: ChannelEvents = { data: () => undefined, end: () => undefined, gone: () => undefined };

/** Charges for frames that carry next to nothing, so that they cannot occupy this node. */
const createToll = (now: () => number) => {
  let left = maxShortFrames;
  let since = now();
  return (frame: Frame): void => {
    if (frame.type === frameTypes.data && frame.length >= shortBytes) return;
    left--;
    if (left >= 0) return;
    left = Math.min(maxShortFrames, left + (now() - since) * shortFramesPerMs);
    since = now();
    if (left < 0) throw new ProtocolError('The other side sends too many short frames');
  };
};

/** The channels of a connection. */
const createChannels = () => {
  const channels = new Map<number, Channel>();
  const counts = { own: 0, theirs: 0, unacknowledged: 0 };
  let queued = 0;
  const count = (channel: Channel, by: 1 | -1): void => {
    counts[channel.isOwn ? 'own' : 'theirs'] += by;
    if (!channel.isAcknowledged) counts.unacknowledged += by;
  };
  return {
    find: (id: number): Channel | null => channels.get(id) ?? null,
    all: () => [...channels.values()],
    queued: () => queued,
    addQueued: (bytes: number): void => {
      queued += bytes;
    },
    hasRoom: (isOwn: boolean): boolean =>
      isOwn
        ? counts.own < maxChannels && counts.unacknowledged < maxUnacknowledged
        : counts.theirs < maxChannels,
    add: (channel: Channel): Channel => {
      channels.set(channel.id, channel);
      count(channel, 1);
      return channel;
    },
    acknowledge: (channel: Channel): void => {
      if (channel.isAcknowledged) return;
      channel.isAcknowledged = true;
      counts.unacknowledged--;
    },
    remove: (channel: Channel, reason: 'reset' | 'closed' | null): void => {
      if (channel.isGone) return;
      channel.isGone = true;
      channels.delete(channel.id);
      count(channel, -1);
      queued -= channel.queue.size();
      channel.queue.clear();
      if (reason !== null) channel.events.end(reason);
      channel.events.gone();
    },
  };
};

type Parts = Pick<MuxDeps, 'now'> & {
  readonly channels: ReturnType<typeof createChannels>;
  readonly outbox: Outbox;
  readonly removeFinished: (channel: Channel) => void;
  /** Takes a stream that the other side opens; null refuses it. */
  readonly accept: (id: number) => Channel | null;
  readonly isEnded: () => boolean;
};

const takeRoom = (channel: Channel | null, length: number): void => {
  if (channel === null) {
    if (length > maxStrayBytes) throw new ProtocolError('A frame is larger than any window');
    return;
  }
  if (channel.isEndedByThem && length > 0) throw new ProtocolError('A stream continues after its end');
  channel.room -= length;
  if (channel.room < 0) throw new ProtocolError('The other side sends more than it may');
};

/** Handles the frames of the other side. */
const createReceiver = ({ now, channels, outbox, removeFinished, accept, isEnded }: Parts) => {
  const toll = createToll(now);
  let current: Channel | null = null;
  let currentFlags = 0;
  const addWindow = (channel: Channel | null, length: number): void => {
    if (channel === null) return;
    channel.window += length;
    if (channel.window > largestWindow) throw new ProtocolError('The window of a stream overflows');
    outbox.schedule(channel);
  };
  const onEnd = (channel: Channel, flag: number): void => {
    if ((flag & flags.rst) !== 0) channels.remove(channel, 'reset');
    else if ((flag & flags.fin) !== 0 && !channel.isEndedByThem) {
      channel.isEndedByThem = true;
      channel.events.end('ended');
      removeFinished(channel);
    }
  };
  const onStreamFrame = ({ type, id, length, flags: flag }: Frame): void => {
    current = (flag & flags.syn) === 0 ? channels.find(id) : accept(id);
    currentFlags = flag;
    if (current !== null && (flag & flags.ack) !== 0) channels.acknowledge(current);
    if (type === frameTypes.data) takeRoom(current, length);
    else addWindow(current, length);
  };
  return createFrameReader({
    frame: (frame) => {
      current = null;
      if (isEnded()) return;
      toll(frame);
      if (frame.type === frameTypes.goAway)
        throw new ProtocolError('The other side has ended the connection');
      if (frame.type !== frameTypes.ping) onStreamFrame(frame);
      else if ((frame.flags & flags.syn) !== 0) outbox.pong(frame.length);
    },
    body: (bytes) => {
      if (current !== null && !current.isGone) current.events.data(bytes);
    },
    end: () => {
      if (current !== null && !current.isGone) onEnd(current, currentFlags);
    },
  });
};

/** The streams of a connection, without their messages. It neither receives nor sends by itself. */
export const createMux = ({ isDialer, now, onChannel }: MuxDeps): Mux => {
  const channels = createChannels();
  let nextId = isDialer ? 1 : 2;
  let isEnded = false;
  const removeFinished = (channel: Channel): void => {
    if (channel.isFinished && channel.isEndedByThem) channels.remove(channel, null);
  };
  const outbox = createOutbox((channel, bytes) => {
    channels.addQueued(-bytes);
    removeFinished(channel);
  });
  const accept = (id: number): Channel | null => {
    if (id % 2 === nextId % 2 || id === 0 || channels.find(id) !== null)
      throw new ProtocolError(`Stream ${id} cannot be opened by the other side`);
    if (!channels.hasRoom(false)) {
      outbox.reset(id);
      return null;
    }
    const channel = channels.add(createChannel(id, false, flags.ack, noEvents, 'announce'));
    onChannel(channel);
    outbox.update(channel);
    return channel;
  };
  return {
    receive: createReceiver({ now, channels, outbox, removeFinished, accept, isEnded: () => isEnded }),
    open: (events, priority) => {
      if (isEnded || !channels.hasRoom(true)) return null;
      const channel = channels.add(createChannel(nextId, true, flags.syn, events, priority));
      nextId += 2;
      return channel;
    },
    push: (channel, bytes) => {
      if (channel.isGone || channel.isFinishing) return;
      channel.queue.push(bytes);
      channels.addQueued(bytes.length);
      outbox.schedule(channel);
    },
    finish: (channel) => {
      channel.isFinishing = true;
      outbox.schedule(channel);
    },
    reset: (channel) => {
      // What was never opened for the other side needs no end.
      if (!channel.isGone && (channel.pending & flags.syn) === 0) outbox.reset(channel.id);
      channels.remove(channel, null);
    },
    allow: (channel, bytes) => {
      channel.wantedRoom = bytes;
      if (!channel.isGone && bytes - channel.room >= firstWindowBytes / 2) outbox.update(channel);
    },
    prioritize: outbox.move,
    fill: outbox.fill,
    queued: channels.queued,
    end: () => {
      isEnded = true;
      for (const channel of channels.all()) channels.remove(channel, 'closed');
    },
  };
};
