import { NodeError } from '../../../src/protocol/errors.ts';
import type { Carrier } from './carrier.ts';
import type { Connection, ConnectOptions } from './connection.ts';
import type { Identity } from './noise/identity.ts';
import { createOutput } from './output.ts';
import { ProtocolError } from './protocol-error.ts';
import { createRequest } from './request.ts';
import { createStreams } from './streams.ts';
import { createUpgrade } from './upgrade.ts';
import { createMux, goAway, type Mux } from './yamux/yamux.ts';

const handshakeMs = 10_000;
const standardIdleMs = 10_000;
/** What may wait for its turn in the handshake. */
const maxEarlyBytes = 512 * 1024;
/** One timer that can be started and stopped. */
const createTimeout = (schedule: ConnectOptions['schedule'], ms: number | null, run: () => void) => {
  let cancel: (() => void) | null = null;
  const stop = (): void => {
    cancel?.();
    cancel = null;
  };
  return {
    stop,
    start: (): void => {
      stop();
      if (ms !== null) cancel = schedule(ms, run);
    },
  };
};

type Settle = { readonly resolve: (connection: Connection) => void; readonly reject: (error: Error) => void };

type Intake = {
  readonly isReady: () => boolean;
  readonly read: (bytes: Uint8Array) => void;
  readonly fail: () => void;
};

/** Hands on what arrives: until the handshake is complete, in turns with other connections. */
const createIntake = (turns: ConnectOptions['turns'], { isReady, read, fail }: Intake) => {
  let waiting = 0;
  return (bytes: Uint8Array): void => {
    if (turns === undefined || (isReady() && waiting === 0)) {
      read(bytes);
      return;
    }
    waiting += bytes.length;
    if (waiting > maxEarlyBytes) {
      fail();
      return;
    }
    const copy = bytes.slice();
    turns(() => {
      waiting -= copy.length;
      read(copy);
    });
  };
};

type Parts = { mux: Mux | null; connection: Connection | null };

const known = <T>(part: T | null): T => {
  if (part === null) throw new Error('The handshake is not complete');
  return part;
};

/** The end of a connection, whatever caused it. */
const createClosing = (carrier: Carrier, parts: Parts, reject: Settle['reject']) => {
  let isClosed = false;
  let tell: (reason: string) => void = () => undefined;
  const closed = new Promise<string>((settle) => {
    tell = settle;
  });
  return {
    closed,
    isClosed: () => isClosed,
    close: (reason: string, sendLast: () => void): void => {
      if (isClosed) return;
      isClosed = true;
      sendLast();
      carrier.close();
      parts.mux?.end();
      tell(reason);
      if (parts.connection === null) reject(new NodeError('PeerFailed', reason));
    },
  };
};

const start = (carrier: Carrier, options: ConnectOptions, { resolve, reject }: Settle): void => {
  const { schedule, now, isDialer, idleMs = standardIdleMs } = options;
  const parts: Parts = { mux: null, connection: null };
  const closing = createClosing(carrier, parts, reject);
  const { closed, isClosed } = closing;
  const close = (reason: string, isFault: boolean): void =>
    closing.close(reason, () => {
      handshake.stop();
      idle.stop();
      output.end(parts.mux === null ? null : goAway(isFault));
    });
  /** Runs what handles input; what it throws ends the connection. */
  const guard = (run: () => void): void => {
    if (isClosed()) return;
    try {
      run();
    } catch (error) {
      const isTheirs = error instanceof ProtocolError;
      close(isTheirs ? error.message : 'This node could not handle a message', true);
      if (!isTheirs) options.onError?.(error);
    }
  };
  const handshake = createTimeout(schedule, handshakeMs, () =>
    close('The other node did not complete the handshake in time', true),
  );
  const idle = createTimeout(schedule, idleMs, () => close('No stream is open', false));
  const streams = createStreams({
    ...options,
    mux: () => known(parts.mux),
    connection: () => known(parts.connection),
    isClosed,
    onOutput: () => output.request(),
    onLasting: (count) => {
      if (count > 0) idle.stop();
      else if (!isClosed()) idle.start();
    },
  });
  const onReady = ({ remoteId, remoteKey }: Identity): void => {
    handshake.stop();
    parts.mux = createMux({ isDialer, now, onChannel: streams.accept });
    const request = createRequest(streams.open, schedule);
    const end = (reason: string): void => close(reason, false);
    const { open } = streams;
    parts.connection = { remoteId, remoteKey, isDialer, open, request, close: end, closed };
    idle.start();
    resolve(parts.connection);
  };
  const upgrade = createUpgrade(options, {
    send: (bytes) => output.send(bytes),
    ready: onReady,
    plain: (bytes) => known(parts.mux).receive(bytes),
  });
  const output = createOutput(carrier, upgrade.write, () => parts.mux);
  handshake.start();
  upgrade.start();
  carrier.listen({
    bytes: createIntake(options.turns, {
      isReady: () => parts.connection !== null,
      read: (bytes) => {
        guard(() => upgrade.read(bytes));
        // Whatever came may lead to a response, or lets more be sent.
        output.request();
      },
      fail: () => close('The other node sends too much before the handshake is complete', true),
    }),
    close: (reason) => close(reason, false),
    drain: () => output.request(),
  });
};

/**
 * Makes a connection of what a carrier brings: proves both identities, encrypts and opens streams. Streams that the
 * other side opens are served from then on. Rejects with `PeerFailed`, and has closed the carrier then.
 */
export const connect = (carrier: Carrier, options: ConnectOptions): Promise<Connection> =>
  new Promise((resolve, reject) => start(carrier, options, { resolve, reject }));
