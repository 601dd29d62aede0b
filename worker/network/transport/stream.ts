import type { Stream, StreamEndReason, StreamEvents, StreamLimits } from './connection.ts';
import { createDeframer, type Deframer } from './framing.ts';
import type { Negotiation } from './multistream.ts';
import { ProtocolError } from './protocol-error.ts';
import { createSending, type SendingDeps } from './sending.ts';
import { type Channel, firstWindowBytes } from './yamux/channel.ts';
import type { Mux } from './yamux/yamux.ts';

export type StreamDeps = Pick<SendingDeps, 'onOutput'> & {
  readonly mux: () => Mux;
  readonly schedule: (ms: number, run: () => void) => () => void;
  /** Counts the memory of messages that have begun to arrive; may throw `ProtocolError`. */
  readonly hold: (bytes: number) => void;
  readonly countLasting: (by: 1 | -1) => void;
};

export type StreamStart = {
  readonly negotiation: Negotiation;
  readonly timeoutMs: number;
  /** Whether this side opens the stream. */
  readonly isOwn: boolean;
  /** Called when both sides agree on a name; null refuses the stream. */
  readonly agree: (name: string, stream: Stream) => StreamEvents | null;
  /** Called if they never do. */
  readonly onUnagreed: (reason: StreamEndReason) => void;
};

/** Runs `read`; false if the other side breaks a protocol, which ends this stream alone. */
const isSound = (read: () => void): boolean => {
  try {
    read();
    return true;
  } catch (error) {
    if (error instanceof ProtocolError) return false;
    throw error;
  }
};

/** Whether a stream keeps its connection open. */
const createLasting = (count: StreamDeps['countLasting']) => {
  let isLasting = false;
  return (isWanted: boolean): void => {
    if (isLasting === isWanted) return;
    isLasting = isWanted;
    count(isWanted ? 1 : -1);
  };
};

type ReceivingEvents = {
  readonly send: (bytes: Uint8Array) => void;
  readonly agreed: (name: string) => void;
  readonly refused: () => void;
  readonly message: (message: Uint8Array) => void;
  /** Whether nothing more is to be read. */
  readonly isOver: () => boolean;
};

/** What arrives on a stream: the agreement on a name, then messages. Throws `ProtocolError`. */
const createReceiving = (negotiation: Negotiation, events: ReceivingEvents) => {
  let deframer: Deframer | null = null;
  let isAgreed = false;
  const readNames = (bytes: Uint8Array): number => {
    const at = negotiation.read(bytes, 0, events.send);
    const outcome = negotiation.outcome();
    if (outcome === 'refused') events.refused();
    else if (outcome !== null) {
      isAgreed = true;
      events.agreed(outcome.name);
    }
    return at;
  };
  return {
    read: (bytes: Uint8Array): void => {
      let at = isAgreed ? 0 : readNames(bytes);
      while (isAgreed && deframer !== null && at < bytes.length && !events.isOver()) {
        at = deframer.read(bytes, at);
        const message = deframer.take();
        if (message !== null) events.message(message);
      }
    },
    start: (reader: Deframer): void => {
      deframer = reader;
    },
    isAgreed: () => isAgreed,
    isInside: () => deframer?.isInside() === true,
    missing: () => deframer?.missing() ?? 0,
    stop: () => deframer?.drop(),
  };
};

const showStream = (
  { send, close, queued }: ReturnType<typeof createSending>,
  { reset, protocol }: { reset: () => void; protocol: () => string | null },
): Stream => ({
  ...{ send, close, reset, queued },
  get protocol() {
    return protocol();
  },
});

export type OpenedStream = ReturnType<typeof createStream>;

/** A stream over a channel, from the agreement on a name to its end. */
export const createStream = (deps: StreamDeps, start: StreamStart) => {
  const { negotiation, agree, onUnagreed, timeoutMs, isOwn } = start;
  let channel: Channel | null = null;
  let protocol: string | null = null;
  let events: StreamEvents | null = null;
  let isOver = false;
  const sending = createSending({ ...deps, channel: () => channel });
  const setLasting = createLasting(deps.countLasting);
  const end = (reason: StreamEndReason): void => {
    if (isOver) return;
    isOver = true;
    cancelTimeout();
    receiving.stop();
    if (events === null) onUnagreed(reason);
    else events.end(reason);
  };
  const stop = (reason: StreamEndReason): void => {
    if (channel !== null) deps.mux().reset(channel);
    deps.onOutput();
    end(reason);
  };
  const cancelTimeout = deps.schedule(timeoutMs, () => stop('timeout'));
  const stream = showStream(sending, { reset: () => stop('reset'), protocol: () => protocol });
  const onAgreed = (name: string): void => {
    cancelTimeout();
    protocol = name;
    events = agree(name, stream);
    if (events === null) stop('refused');
    sending.release();
    events?.open?.(name);
  };
  /** A refusal of this side still leaves; if the other side does not end the stream then, the timeout does. */
  const onRefused = (): void => (isOwn ? stop('refused') : sending.close());
  const receiving = createReceiving(negotiation, {
    send: sending.push,
    agreed: onAgreed,
    refused: onRefused,
    message: (message) => events?.message(message),
    isOver: () => isOver,
  });
  const onData = (bytes: Uint8Array): void => {
    if (isOver) return;
    if (!isSound(() => receiving.read(bytes))) stop('bad');
    if (channel !== null) deps.mux().allow(channel, firstWindowBytes + receiving.missing());
  };
  const onEnd = (reason: 'ended' | 'reset' | 'closed'): void => {
    if (reason !== 'ended') end(reason);
    else if (protocol === null) {
      onRefused();
      end('refused');
    } else if (receiving.isInside()) stop('bad');
    else end('ended');
  };
  const onGone = (): void => {
    channel = null;
    setLasting(false);
  };
  return {
    ...{ stream, sending, stop },
    attach: (attached: Channel): void => {
      channel = attached;
      attached.events = { data: onData, end: onEnd, gone: onGone };
      sending.push(negotiation.opening);
    },
    configure: (limits: StreamLimits): void => {
      sending.configure(limits);
      receiving.start(createDeframer(limits.framing ?? 'length', limits.maxMessageBytes, deps.hold));
      if (channel !== null) deps.mux().prioritize(channel, limits.priority);
      setLasting(limits.isLasting ?? true);
    },
  };
};
