import { NodeError } from '../../../src/protocol/errors.ts';
import type { Carrier, CarrierEvents } from './carrier.ts';

/** A WebSocket does not tell when it has sent something. */
const pollMs = 2;
const openMs = 10_000;
/** What may arrive before there is a connection: the beginning of a handshake. */
const maxEarlyBytes = 64 * 1024;

const forbidden =
  'is forbidden by the Content-Security-Policy of this page’s host: for worker-main-*.js, connect-src needs ws: and wss:, as docs/hosting.md says';

type Schedule = (ms: number, run: () => void) => () => void;

export type WebSocketDeps = {
  readonly schedule: Schedule;
  /** The global one by default. */
  readonly WebSocket?: typeof WebSocket;
};

/** Calls back when less is buffered than before, as long as something is. */
const watchDrain = (socket: WebSocket, schedule: Schedule, onDrain: () => void) => {
  let cancel: (() => void) | null = null;
  const watch = (): void => {
    if (cancel !== null || socket.bufferedAmount === 0) return;
    const before = socket.bufferedAmount;
    cancel = schedule(pollMs, () => {
      cancel = null;
      if (socket.bufferedAmount < before) onDrain();
      watch();
    });
  };
  return { watch, stop: (): void => cancel?.() };
};

/** Bytes that wait for somebody who handles them. */
const createEarly = (onFull: () => void) => {
  let early: Uint8Array[] = [];
  let size = 0;
  return {
    add: (bytes: Uint8Array): void => {
      size += bytes.length;
      if (size > maxEarlyBytes) onFull();
      else early.push(bytes);
    },
    release: (onBytes: (bytes: Uint8Array) => void): void => {
      const bytes = early;
      early = [];
      for (const one of bytes) onBytes(one);
    },
  };
};

const socketCarrier = (socket: WebSocket, schedule: Schedule): Carrier => {
  let events: CarrierEvents | null = null;
  let closeReason: string | null = null;
  const drain = watchDrain(socket, schedule, () => events?.drain());
  const onClose = (reason: string): void => {
    if (closeReason !== null) return;
    closeReason = reason;
    drain.stop();
    socket.close();
    events?.close(reason);
  };
  const early = createEarly(() => onClose('The other side sends too much at once'));
  socket.onmessage = ({ data }: { data: unknown }) => {
    if (closeReason !== null) return;
    if (!(data instanceof ArrayBuffer)) onClose('The other side sent a text instead of bytes');
    else if (events === null) early.add(new Uint8Array(data));
    else events.bytes(new Uint8Array(data));
  };
  socket.onclose = () => onClose('The other side has closed the connection');
  socket.onerror = () => onClose('The connection broke');
  return {
    send: (bytes) => {
      if (closeReason !== null || socket.readyState !== socket.OPEN) return;
      socket.send(bytes as Uint8Array<ArrayBuffer>);
      drain.watch();
    },
    buffered: () => socket.bufferedAmount,
    close: () => {
      closeReason ??= 'This side has closed the connection';
      drain.stop();
      socket.close();
    },
    listen: (listener) => {
      events = listener;
      early.release(listener.bytes);
      if (closeReason !== null) listener.close(closeReason);
    },
  };
};

/** In a worker of a page, whose policy may forbid the address. */
type Scope = Partial<Pick<EventTarget, 'addEventListener' | 'removeEventListener'>>;

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');

/** Calls back if the policy of this script forbids the address: the socket's own error does not say so. */
const watchPolicy = (url: string, onForbidden: () => void): (() => void) => {
  const scope = globalThis as Scope;
  const hear = (event: Event): void => {
    if (hostOf((event as SecurityPolicyViolationEvent).blockedURI) === hostOf(url)) onForbidden();
  };
  scope.addEventListener?.('securitypolicyviolation', hear);
  return () => scope.removeEventListener?.('securitypolicyviolation', hear);
};

/** Opens a WebSocket to another node. Rejects with `PeerFailed`. */
export const dialWebSocket = (url: string, { schedule, ...deps }: WebSocketDeps): Promise<Carrier> =>
  new Promise((resolve, reject) => {
    const Socket = deps.WebSocket ?? globalThis.WebSocket;
    let isForbidden = false;
    const unwatch = watchPolicy(url, () => {
      isForbidden = true;
    });
    const socket = new Socket(url);
    socket.binaryType = 'arraybuffer';
    const settle = (): void => {
      cancel();
      unwatch();
    };
    const fail = (why: string): void => {
      settle();
      socket.close();
      reject(new NodeError('PeerFailed', `${url} ${isForbidden ? forbidden : why}`));
    };
    const cancel = schedule(openMs, () => fail('does not answer'));
    socket.onopen = () => {
      settle();
      resolve(socketCarrier(socket, schedule));
    };
    // What the policy forbids is reported in a task of its own, which may come after the error.
    const failSoon = (why: string): void => void schedule(0, () => fail(why));
    socket.onerror = () => failSoon('cannot be reached');
    socket.onclose = () => failSoon('has refused the connection');
  });
