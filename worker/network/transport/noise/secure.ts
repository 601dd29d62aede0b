import { noBytes } from '../../../bytes/bytes.ts';
import { exchangeKeys, secretBytes } from '../../../crypto/network-ciphers.ts';
import type { ConnectOptions } from '../connection.ts';
import { ProtocolError } from '../protocol-error.ts';
import { type Identity, signIdentity, verifyIdentity } from './identity.ts';
import { createNoiseXx } from './noise.ts';
import {
  createMessageReader,
  createRecordOpener,
  createRecordWriter,
  type Fill,
  withNoiseLength,
} from './records.ts';

/** More than an identity with the extensions of other implementations takes. */
const maxHandshakeBytes = 4096;

export type SecureOptions = Pick<ConnectOptions, 'isDialer' | 'key' | 'verify' | 'expectedId' | 'random'>;

/** Noise as libp2p uses it: the handshake, then encrypted bytes. */
export type Secure = {
  /** What the dialing side sends first; the other side sends nothing. */
  readonly opening: Uint8Array;
  /** `send` is called with handshake messages, `onPlain` with views of what was encrypted. Throws `ProtocolError`. */
  read(bytes: Uint8Array, send: (bytes: Uint8Array) => void, onPlain: (plain: Uint8Array) => void): void;
  /** The other side's identity once it has proven it, and this side may write. */
  identity(): Identity | null;
  /** The encrypted form of what `fill` writes; null if that is nothing. */
  write(fill: Fill): Uint8Array | null;
};

const beginHandshake = ({ isDialer, random }: SecureOptions) => {
  const staticKeys = exchangeKeys(random(secretBytes));
  const ephemeralKeys = exchangeKeys(random(secretBytes));
  return { staticKeys, noise: createNoiseXx({ isDialer, staticKeys, ephemeralKeys }) };
};

export const createSecure = (options: SecureOptions): Secure => {
  const { isDialer } = options;
  let handshake: ReturnType<typeof beginHandshake> | null = null;
  /** Two keys take a millisecond: the side that is dialed makes them in its turn, when the first message has come. */
  const begun = () => {
    handshake ??= beginHandshake(options);
    return handshake;
  };
  const messages = createMessageReader();
  let identity: Identity | null = null;
  let keys: { readonly open: ReturnType<typeof createRecordOpener>; readonly write: Secure['write'] } | null =
    null;
  let isFirst = true;
  const writeIdentity = (): Uint8Array => {
    const { noise, staticKeys } = begun();
    return withNoiseLength(noise.write(signIdentity(options, staticKeys.publicKey)));
  };
  const finish = (payload: Uint8Array): void => {
    identity = verifyIdentity(options, payload, begun().noise.remoteStatic());
  };
  const start = (): void => {
    const { sending, receiving } = begun().noise.finish();
    keys = { open: createRecordOpener(receiving), write: createRecordWriter(sending).write };
  };
  /** The reply to a message of the handshake. */
  const onHandshake = (message: Uint8Array): Uint8Array => {
    if (message.length > maxHandshakeBytes)
      throw new ProtocolError('A message of the Noise handshake is too large');
    const payload = begun().noise.read(message);
    if (!isDialer && isFirst) {
      isFirst = false;
      return writeIdentity();
    }
    finish(payload);
    const reply = isDialer ? writeIdentity() : noBytes;
    start();
    return reply;
  };
  return {
    opening: isDialer ? withNoiseLength(begun().noise.write(noBytes)) : noBytes,
    read: (bytes, send, onPlain) =>
      messages.read(bytes, (message) => {
        if (keys !== null) return onPlain(keys.open(message));
        const reply = onHandshake(message);
        if (reply.length > 0) send(reply);
      }),
    identity: () => (keys === null ? null : identity),
    write: (fill) => {
      if (keys === null) throw new Error('The handshake is not complete');
      return keys.write(fill);
    },
  };
};
