import { ed25519 } from '@noble/curves/ed25519.js';
import { bytesToHex } from '../../../worker/bytes/hex.ts';
import type { NodeKey } from '../../../worker/network/transport/connection.ts';
import { createUpgrade } from '../../../worker/network/transport/upgrade.ts';
import { createFrameReader, type Frame } from '../../../worker/network/transport/yamux/frames.ts';
import { createRandom } from '../../rigs/random.ts';

/** What another implementation has sent on one connection. */
export type Recording = {
  readonly peer: string;
  /** Whether this side has dialed. */
  readonly isDialer: boolean;
  /** Of this side's ephemeral and static keys of Noise, in this order. */
  readonly seed: number;
  /** In base64. */
  readonly received: string;
  /** How many of these bytes belong to the handshake, the agreement on yamux included. */
  readonly handshakeBytes: number;
  readonly remoteId: string;
  /** The frames of yamux, whole ones only: type, flags, stream, and length or body in hex. */
  readonly frames: readonly string[];
};

const secret = new Uint8Array(32).fill(0x5a);

/** The identity of this side in all recordings. */
export const recordingKey: NodeKey = {
  publicKey: ed25519.getPublicKey(secret),
  sign: (message) => ed25519.sign(message, secret),
};

/** The same bytes whenever a seed is used again. */
export const seededBytes = (seed: number) => {
  const random = createRandom(seed);
  return (length: number): Uint8Array => Uint8Array.from({ length }, () => Math.floor(random() * 256));
};

const showFrame = ({ type, flags, id, length }: Frame, body: string): string =>
  `${type} ${flags} ${id} ${type === 0 ? body : length}`;

/** The frames of yamux in these pieces. */
export const readFrames = (pieces: Iterable<Uint8Array>): string[] => {
  const frames: string[] = [];
  let current: Frame | null = null;
  let body = '';
  const read = createFrameReader({
    frame: (frame) => {
      current = frame;
      body = '';
    },
    body: (bytes) => {
      body += bytesToHex(bytes).slice(2);
    },
    end: () => {
      if (current !== null) frames.push(showFrame(current, body));
    },
  });
  for (const piece of pieces) read(piece);
  return frames;
};

const verify = (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean =>
  ed25519.verify(signature, message, publicKey);

/** Reads bytes of the other side in these pieces, as in the connection that was recorded. */
export const replay = (
  { isDialer, seed }: Pick<Recording, 'isDialer' | 'seed'>,
  pieces: Iterable<Uint8Array>,
) => {
  const plain: Uint8Array[] = [];
  let remoteId = '';
  let read = 0;
  let handshakeBytes = 0;
  const upgrade = createUpgrade(
    { isDialer, key: recordingKey, verify, random: seededBytes(seed) },
    {
      send: () => undefined,
      ready: (identity) => {
        remoteId = identity.remoteId;
        handshakeBytes = read;
      },
      plain: (bytes) => plain.push(bytes.slice()),
    },
  );
  upgrade.start();
  for (const piece of pieces) {
    read += piece.length;
    upgrade.read(piece);
  }
  return { remoteId, handshakeBytes, plain, frames: readFrames(plain) };
};
