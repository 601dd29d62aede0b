import { noBytes } from '../../worker/bytes/bytes.ts';
import { type ByteStream, createInflow, type Inflow, StreamEnd } from './streams.ts';

/** yamux: many streams over one, each with a window. */
const frameTypes = { data: 0, window: 1, ping: 2, goAway: 3 } as const;
const flags = { syn: 1, ack: 2, fin: 4, rst: 8 } as const;
const headerBytes = 12;
const firstWindow = 256 * 1024;
const maxFrameBytes = 16 * 1024;
const maxStreams = 512;
/** How much a stream may queue until the other side has room for it. */
const maxUnsentBytes = 32 * 1024 * 1024;

type Channel = {
  readonly id: number;
  readonly inflow: Inflow;
  readonly stream: ByteStream;
  /** Bytes that wait for the other side's window. */
  readonly unsent: Uint8Array[];
  unsentBytes: number;
  /** How much the other side may be sent, and how much it may send. */
  window: number;
  room: number;
  /** Window size that has not been returned to it yet. */
  owed: number;
  isClosing: boolean;
  isEnded: boolean;
  isEndedByThem: boolean;
};

type Frame = { readonly type: number; readonly flags: number; readonly id: number; readonly length: number };

const encodeFrame = (frame: Frame, body: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(headerBytes + body.length);
  const view = new DataView(bytes.buffer);
  view.setUint8(1, frame.type);
  view.setUint16(2, frame.flags);
  view.setUint32(4, frame.id);
  view.setUint32(8, frame.length);
  bytes.set(body, headerBytes);
  return bytes;
};

const decodeFrame = (bytes: Uint8Array): Frame => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, headerBytes);
  if (view.getUint8(0) !== 0) throw new RangeError('yamux has another version');
  return {
    type: view.getUint8(1),
    flags: view.getUint16(2),
    id: view.getUint32(4),
    length: view.getUint32(8),
  };
};

const createSender = (carrier: ByteStream) => {
  const send = (type: number, flag: number, id: number, length: number, body = noBytes): void =>
    carrier.send(encodeFrame({ type, flags: flag, id, length }, body));
  /** Sends what fits into the window, then the end of the stream, if it is wanted. */
  const drain = (channel: Channel): void => {
    const { id, unsent } = channel;
    while (channel.window > 0 && unsent[0] !== undefined) {
      const [next] = unsent;
      const part = next.subarray(0, Math.min(next.length, channel.window, maxFrameBytes));
      send(frameTypes.data, 0, id, part.length, part);
      channel.window -= part.length;
      channel.unsentBytes -= part.length;
      if (part.length === next.length) unsent.shift();
      else unsent[0] = next.subarray(part.length);
    }
    if (!channel.isClosing || channel.isEnded || unsent.length > 0) return;
    channel.isEnded = true;
    send(frameTypes.data, flags.fin, id, 0);
  };
  return { send, drain };
};

type Sender = ReturnType<typeof createSender>;

const createChannel = (id: number, { send, drain }: Sender, forget: (channel: Channel) => void): Channel => {
  const inflow = createInflow((bytes) => {
    channel.owed += bytes;
    if (channel.isEndedByThem || channel.owed < firstWindow / 2) return;
    channel.room += channel.owed;
    send(frameTypes.window, 0, id, channel.owed);
    channel.owed = 0;
  });
  const stream: ByteStream = {
    read: inflow.read,
    send: (bytes) => {
      if (channel.isClosing || channel.isEnded) throw new StreamEnd('The stream is closed');
      if (channel.unsentBytes + bytes.length > maxUnsentBytes)
        throw new Error('the other side reads too slowly');
      channel.unsent.push(bytes);
      channel.unsentBytes += bytes.length;
      drain(channel);
    },
    close: () => {
      if (channel.isClosing) return;
      channel.isClosing = true;
      drain(channel);
      forget(channel);
    },
  };
  const channel: Channel = {
    ...{ id, inflow, stream, unsent: [], unsentBytes: 0, window: firstWindow, room: firstWindow, owed: 0 },
    ...{ isClosing: false, isEnded: false, isEndedByThem: false },
  };
  return channel;
};

export type Yamux = {
  open(): ByteStream;
  /** Resolves with the reason when the connection has ended. */
  readonly ended: Promise<Error>;
};

/** `onStream` receives each stream that the other side opens. The side that dials has the odd stream ids. */
export const startYamux = (
  carrier: ByteStream,
  isDialing: boolean,
  onStream: (stream: ByteStream) => void,
): Yamux => {
  const channels = new Map<number, Channel>();
  const sender = createSender(carrier);
  let nextId = isDialing ? 1 : 2;
  const forget = ({ id, isEnded, isEndedByThem }: Channel): void => {
    if (isEnded && isEndedByThem) channels.delete(id);
  };
  const add = (id: number, flag: number): Channel => {
    if (channels.size >= maxStreams) throw new RangeError('too many streams');
    const channel = createChannel(id, sender, forget);
    channels.set(id, channel);
    sender.send(frameTypes.window, flag, id, 0);
    return channel;
  };
  const accept = (id: number): Channel => {
    if (id % 2 === nextId % 2 || channels.has(id)) throw new RangeError(`stream ${id} cannot be opened`);
    const channel = add(id, flags.ack);
    onStream(channel.stream);
    return channel;
  };
  const onData = async (channel: Channel | undefined, length: number): Promise<void> => {
    if (length > firstWindow * 64) throw new RangeError('a frame is larger than any window');
    const body = await carrier.read(length);
    if (channel === undefined) return;
    channel.room -= length;
    if (channel.room < 0) throw new RangeError('a frame exceeds the window');
    channel.inflow.push(body);
  };
  const onEnd = (channel: Channel, flag: number): void => {
    if ((flag & (flags.fin | flags.rst)) === 0) return;
    channel.isEndedByThem = true;
    if ((flag & flags.rst) !== 0) channel.isClosing = channel.isEnded = true;
    channel.inflow.end(new StreamEnd('The other side has ended the stream'));
    forget(channel);
  };
  const onFrame = async (frame: Frame): Promise<void> => {
    const { type, id, length, flags: flag } = frame;
    if (type === frameTypes.ping) {
      if ((flag & flags.syn) !== 0) sender.send(frameTypes.ping, flags.ack, 0, length);
      return;
    }
    if (type === frameTypes.goAway) throw new StreamEnd('The other side has ended the connection');
    const channel = (flag & flags.syn) === 0 ? channels.get(id) : accept(id);
    if (type === frameTypes.data) await onData(channel, length);
    else if (type !== frameTypes.window) throw new RangeError(`yamux has no frame type ${type}`);
    else if (channel !== undefined) {
      channel.window += length;
      sender.drain(channel);
    }
    if (channel !== undefined) onEnd(channel, flag);
  };
  const follow = async (): Promise<never> => {
    for (;;) await onFrame(decodeFrame(await carrier.read(headerBytes)));
  };
  const ended = follow().catch((error: Error) => {
    for (const { inflow } of channels.values()) inflow.end(error);
    channels.clear();
    carrier.close();
    return error;
  });
  const open = (): ByteStream => {
    const id = nextId;
    nextId += 2;
    return add(id, flags.syn).stream;
  };
  return { open, ended };
};
