import type { Connection, ConnectOptions, OpenOptions, Served, Stream, StreamEvents } from './connection.ts';
import { acceptNames, proposeNames } from './multistream.ts';
import { ProtocolError } from './protocol-error.ts';
import { createStream, type OpenedStream, type StreamDeps } from './stream.ts';
import type { Channel } from './yamux/channel.ts';

const negotiationMs = 5000;
/** Of messages that have begun to arrive: some of 16 MiB at a time. */
const maxHeldBytes = 64 * 1024 * 1024;

export type StreamsDeps = Pick<ConnectOptions, 'schedule' | 'served'> &
  Pick<StreamDeps, 'mux' | 'onOutput'> & {
    readonly connection: () => Connection;
    readonly isClosed: () => boolean;
    /** How many lasting streams there are has changed. */
    readonly onLasting: (count: number) => void;
  };

const noEvents: Channel['events'] = { data: () => undefined, end: () => undefined, gone: () => undefined };

/** The streams of a connection. */
export const createStreams = (deps: StreamsDeps) => {
  let heldBytes = 0;
  let lasting = 0;
  const shared: StreamDeps = {
    ...deps,
    hold: (bytes) => {
      if (bytes > 0 && heldBytes + bytes > maxHeldBytes)
        throw new ProtocolError('The other side begins too many messages at once');
      heldBytes += bytes;
    },
    countLasting: (by) => {
      lasting += by;
      deps.onLasting(lasting);
    },
  };
  const findServed = (name: string): Served | undefined =>
    deps.served().find(({ names }) => names.includes(name));
  return {
    /** Takes a channel that the other side has opened. */
    accept: (channel: Channel): void => {
      const opened: OpenedStream = createStream(shared, {
        negotiation: acceptNames((name) => findServed(name) !== undefined),
        timeoutMs: negotiationMs,
        isOwn: false,
        onUnagreed: () => undefined,
        agree: (name, stream) => {
          const served = findServed(name);
          if (served === undefined) return null;
          opened.configure(served);
          return served.accept(stream, deps.connection());
        },
      });
      opened.attach(channel);
    },
    open: (names: readonly string[], options: OpenOptions, events: StreamEvents): Stream => {
      const { timeoutMs = negotiationMs, first } = options;
      const { stream, sending, configure, attach, stop } = createStream(shared, {
        negotiation: proposeNames(names),
        timeoutMs,
        isOwn: true,
        onUnagreed: events.end,
        agree: () => events,
      });
      const channel = deps.isClosed() ? null : deps.mux().open(noEvents, options.priority);
      const isFull = (): boolean => first !== undefined && !stream.send(first);
      if (channel !== null) {
        if (names.length !== 1) sending.hold();
        attach(channel);
        configure(options);
      }
      if (channel === null || isFull()) queueMicrotask(() => stop(deps.isClosed() ? 'closed' : 'full'));
      return stream;
    },
  };
};
