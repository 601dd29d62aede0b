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

type Cut = (bytes: Uint8Array) => readonly Uint8Array[];

/** Two carriers, connected to one another; what one sends arrives later, in the pieces of `cut`. */
export const carrierPair = (cut: Cut = (bytes) => [bytes]) => {
  const ends: (CarrierEvents | null)[] = [null, null];
  const sent: Uint8Array[][] = [[], []];
  let isClosed = false;
  const create = (own: 0 | 1): Carrier => ({
    send: (bytes) => {
      if (isClosed) return;
      sent[own]?.push(bytes);
      for (const piece of cut(bytes)) queueMicrotask(() => ends[1 - own]?.bytes(piece));
    },
    buffered: () => 0,
    close: () => {
      if (isClosed) return;
      isClosed = true;
      queueMicrotask(() => ends[1 - own]?.close('closed by the other side'));
    },
    listen: (events) => {
      ends[own] = events;
    },
  });
  return { carriers: [create(0), create(1)] as const, sent };
};

type Side = Partial<ConnectOptions>;

/** Two connections with each other: the dialing one, and the other. */
export const connectPair = async (
  near: Side = {},
  far: Side = {},
  cut?: Cut,
): Promise<readonly [near: Connection, far: Connection]> => {
  const { carriers } = carrierPair(cut);
  return Promise.all([
    connect(carriers[0], { ...baseOptions, key: keyOf(1), isDialer: true, ...near }),
    connect(carriers[1], { ...baseOptions, key: keyOf(2), isDialer: false, ...far }),
  ]);
};
