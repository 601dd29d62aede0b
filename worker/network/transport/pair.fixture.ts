import { ed25519 } from '@noble/curves/ed25519.js';
import type { Carrier, CarrierEvents } from './carrier.ts';
import { connect } from './connect.ts';
import type { Connection, ConnectOptions, NodeKey, Served } from './connection.ts';

export const keyOf = (seed: number): NodeKey => {
  const secret = new Uint8Array(32).fill(seed);
  return { publicKey: ed25519.getPublicKey(secret), sign: (message) => ed25519.sign(message, secret) };
};

export const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));

export const schedule = (ms: number, run: () => void): (() => void) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

export const baseOptions = {
  verify: (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean =>
    ed25519.verify(signature, message, publicKey),
  served: (): readonly Served[] => [],
  schedule,
  now: () => performance.now(),
  random,
};

/** A clock that stands still until `pass`. */
export const createClock = () => {
  const timers = new Set<{ readonly atMs: number; readonly run: () => void }>();
  let time = 0;
  return {
    now: () => time,
    schedule: (ms: number, run: () => void): (() => void) => {
      const timer = { atMs: time + ms, run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    /** Runs what is due, in order. */
    pass: (ms: number): void => {
      const until = time + ms;
      for (;;) {
        const [next] = [...timers].filter(({ atMs }) => atMs <= until).sort((a, b) => a.atMs - b.atMs);
        if (next === undefined) break;
        timers.delete(next);
        time = next.atMs;
        next.run();
      }
      time = until;
    },
    count: () => timers.size,
  };
};

/** Resolves when everything that is queued now, and what follows from it, has run. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

type Cut = (bytes: Uint8Array) => readonly Uint8Array[];

/** Two carriers, connected to one another; what one sends arrives later, in the pieces of `cut`. */
export const carrierPair = (cut: Cut = (bytes) => [bytes]) => {
  const ends: (CarrierEvents | null)[] = [null, null];
  const sent: readonly [Uint8Array[], Uint8Array[]] = [[], []];
  const buffered = [0, 0];
  let isClosed = false;
  const create = (own: 0 | 1): Carrier => ({
    send: (bytes) => {
      if (isClosed) return;
      sent[own].push(bytes);
      for (const piece of cut(bytes)) queueMicrotask(() => ends[1 - own]?.bytes(piece));
    },
    buffered: () => buffered[own] ?? 0,
    close: () => {
      if (isClosed) return;
      isClosed = true;
      queueMicrotask(() => ends[1 - own]?.close('closed by the other side'));
    },
    listen: (events) => {
      ends[own] = events;
    },
  });
  return {
    carriers: [create(0), create(1)] as const,
    /** What each side has sent, write by write. */
    sent,
    /** Makes a carrier say that so much waits in it. */
    setBuffered: (own: 0 | 1, bytes: number): void => {
      const isLess = bytes < (buffered[own] ?? 0);
      buffered[own] = bytes;
      if (isLess) ends[own]?.drain();
    },
    ends,
  };
};

type Side = Partial<ConnectOptions>;

/** Two connections with each other: the dialing one, and the other. */
export const connectPair = async (
  near: Side = {},
  far: Side = {},
  pair = carrierPair(),
): Promise<readonly [near: Connection, far: Connection]> => {
  const { carriers } = pair;
  return Promise.all([
    connect(carriers[0], { ...baseOptions, key: keyOf(1), isDialer: true, ...near }),
    connect(carriers[1], { ...baseOptions, key: keyOf(2), isDialer: false, ...far }),
  ]);
};
