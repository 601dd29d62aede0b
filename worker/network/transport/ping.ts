import { equalBytes } from '../../bytes/bytes.ts';
import type { Connection, ConnectOptions, Served, Stream } from './connection.ts';

/** Bytes that come back show that the other side is there, and how far away (libp2p specs, "ping"). */
const pingName = '/ipfs/ping/1.0.0';
const pingBytes = 32;
const standardEveryMs = 15_000;
const standardTimeoutMs = 20_000;

const limits = {
  maxMessageBytes: pingBytes,
  maxQueuedBytes: 4096,
  framing: { fixed: pingBytes },
  priority: 'vote',
  isLasting: false,
} as const;

/** Sends back what arrives. */
export const servePing: Served = {
  names: [pingName],
  ...limits,
  accept: (stream) => ({
    message: (bytes) => {
      if (!stream.send(bytes)) stream.reset();
    },
    end: () => stream.close(),
  }),
};

export type PingOptions = Pick<ConnectOptions, 'schedule' | 'now' | 'random'> & {
  readonly everyMs?: number;
  readonly timeoutMs?: number;
  /** Called with the milliseconds that bytes took to come back. */
  readonly onLatency?: (ms: number) => void;
};

/**
 * Pings the other side, and closes the connection if nothing comes back in time. Not if the other side does not know
 * the protocol. Stops with the connection, or when the result is called.
 */
export const startPings = (connection: Connection, options: PingOptions): (() => void) => {
  const { schedule, now, random, everyMs = standardEveryMs, timeoutMs = standardTimeoutMs } = options;
  let stream: Stream | null = null;
  let sent: { readonly bytes: Uint8Array; readonly atMs: number } | null = null;
  let cancel: () => void = () => undefined;
  const wait = (ms: number, run: () => void): void => {
    cancel();
    cancel = schedule(ms, run);
  };
  const onMessage = (bytes: Uint8Array): void => {
    const isEcho = sent !== null && equalBytes(bytes, sent.bytes);
    if (sent !== null && isEcho) options.onLatency?.(now() - sent.atMs);
    sent = null;
    if (!isEcho) stream?.reset();
    wait(everyMs, ping);
  };
  const open = (): Stream =>
    connection.open([pingName], limits, {
      message: onMessage,
      end: (reason) => {
        stream?.close();
        stream = sent = null;
        if (reason === 'refused' || reason === 'closed') cancel();
        else wait(everyMs, ping);
      },
    });
  const ping = (): void => {
    stream ??= open();
    sent = { bytes: random(pingBytes), atMs: now() };
    stream.send(sent.bytes);
    wait(timeoutMs, onTimeout);
  };
  const onTimeout = (): void => {
    const waitedMs = sent === null ? 0 : now() - sent.atMs;
    // A timer that is late means that this side slept, and what came meanwhile is not read yet.
    if (sent !== null && waitedMs > 1.5 * timeoutMs) {
      sent = { ...sent, atMs: now() };
      wait(timeoutMs, onTimeout);
    } else connection.close('The other node does not answer pings');
  };
  ping();
  return () => {
    cancel();
    stream?.reset();
    cancel();
  };
};
