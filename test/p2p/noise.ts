import { createCipheriv, createDecipheriv } from 'node:crypto';
import { ed25519, x25519 } from '@noble/curves/ed25519.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, equalBytes, noBytes, textToBytes } from '../../worker/bytes/bytes.ts';
import { decodeFields, encodeFields } from './protobuf.ts';
import { type ByteStream, createInflow } from './streams.ts';

/** Noise XX as libp2p uses it, on the side that dials. */
const protocol = textToBytes('Noise_XX_25519_ChaChaPoly_SHA256');
const signedPrefix = textToBytes('noise-libp2p-static-key:');
const tagBytes = 16;
const maxPlainBytes = 65_535 - tagBytes;
/** Protobuf of an ed25519 public key: type 1, then 32 bytes. */
const keyPrefix = Uint8Array.of(8, 1, 18, 32);

export const encodePublicKey = (publicKey: Uint8Array): Uint8Array => concatBytes(keyPrefix, publicKey);

const decodePublicKey = (bytes: Uint8Array): Uint8Array => {
  if (bytes.length !== 36 || !equalBytes(bytes.subarray(0, 4), keyPrefix))
    throw new Error('the identity of the other side is not an ed25519 key');
  return bytes.slice(4);
};

const name = 'chacha20-poly1305';

/** A key that encrypts or decrypts, each message with the next nonce. */
const createCipher = (key: Uint8Array) => {
  let count = 0;
  const nextNonce = (): Uint8Array => {
    if (count > 0xffff_ffff) throw new Error('too many messages for one key');
    const nonce = new Uint8Array(12);
    new DataView(nonce.buffer).setUint32(4, count++, true);
    return nonce;
  };
  return {
    seal: (context: Uint8Array, plain: Uint8Array): Uint8Array => {
      const cipher = createCipheriv(name, key, nextNonce(), { authTagLength: tagBytes });
      cipher.setAAD(context, { plaintextLength: plain.length });
      return concatBytes(cipher.update(plain), cipher.final(), cipher.getAuthTag());
    },
    /** Throws if the bytes were altered. */
    open: (context: Uint8Array, sealed: Uint8Array): Uint8Array => {
      const length = sealed.length - tagBytes;
      if (length < 0) throw new Error('an encrypted message is too short');
      const decipher = createDecipheriv(name, key, nextNonce(), { authTagLength: tagBytes });
      decipher.setAAD(context, { plaintextLength: length });
      decipher.setAuthTag(sealed.subarray(length));
      return concatBytes(decipher.update(sealed.subarray(0, length)), decipher.final());
    },
  };
};

type Cipher = ReturnType<typeof createCipher>;

const derive = (chaining: Uint8Array, secret: Uint8Array): readonly [Uint8Array, Uint8Array] => {
  const key = hmac(sha256, chaining, secret);
  const first = hmac(sha256, key, Uint8Array.of(1));
  return [first, hmac(sha256, key, concatBytes(first, Uint8Array.of(2)))];
};

/** The state of a handshake: each step depends on all before. */
const createTranscript = () => {
  let hash: Uint8Array = protocol;
  let chaining: Uint8Array = protocol;
  let cipher: Cipher | null = null;
  const add = (bytes: Uint8Array): void => {
    hash = sha256(concatBytes(hash, bytes));
  };
  add(noBytes);
  return {
    add,
    addSecret: (secret: Uint8Array): void => {
      const [next, key] = derive(chaining, secret);
      chaining = next;
      cipher = createCipher(key);
    },
    seal: (plain: Uint8Array): Uint8Array => {
      const sealed = cipher === null ? plain : cipher.seal(hash, plain);
      add(sealed);
      return sealed;
    },
    open: (sealed: Uint8Array): Uint8Array => {
      const plain = cipher === null ? sealed : cipher.open(hash, sealed);
      add(sealed);
      return plain;
    },
    /** The ciphers of both directions, the dialing side's first. */
    split: (): readonly [Cipher, Cipher] => {
      const [first, second] = derive(chaining, noBytes);
      return [createCipher(first), createCipher(second)];
    },
  };
};

/** Messages with their length before them, in two bytes. */
const createRecords = (carrier: ByteStream) => ({
  send: (message: Uint8Array): void =>
    carrier.send(concatBytes(Uint8Array.of(message.length >> 8, message.length & 255), message)),
  read: async (): Promise<Uint8Array> => {
    const [high = 0, low = 0] = await carrier.read(2);
    return carrier.read((high << 8) | low);
  },
});

type Records = ReturnType<typeof createRecords>;

/** Returns the ciphers and the other side's public key, whose ownership it has proven. */
const shakeHands = async (records: Records, secret: Uint8Array) => {
  const transcript = createTranscript();
  const own = x25519.keygen();
  const passing = x25519.keygen();
  transcript.add(passing.publicKey);
  transcript.seal(noBytes);
  records.send(passing.publicKey);
  const reply = await records.read();
  const theirPassing = reply.subarray(0, 32);
  transcript.add(theirPassing);
  transcript.addSecret(x25519.getSharedSecret(passing.secretKey, theirPassing));
  const theirOwn = transcript.open(reply.subarray(32, 80));
  transcript.addSecret(x25519.getSharedSecret(passing.secretKey, theirOwn));
  const theirs = decodeFields(transcript.open(reply.subarray(80)));
  const remoteKey = decodePublicKey(theirs.bytes(1));
  if (!ed25519.verify(theirs.bytes(2), concatBytes(signedPrefix, theirOwn), remoteKey))
    throw new Error('the other side has not signed its key');
  const sealedKey = transcript.seal(own.publicKey);
  transcript.addSecret(x25519.getSharedSecret(own.secretKey, theirPassing));
  const identity = encodeFields(
    [1, encodePublicKey(ed25519.getPublicKey(secret))],
    [2, ed25519.sign(concatBytes(signedPrefix, own.publicKey), secret)],
  );
  records.send(concatBytes(sealedKey, transcript.seal(identity)));
  return { ciphers: transcript.split(), remoteKey };
};

/** The stream inside the encryption, and the ed25519 key of the other side. */
export const encrypt = async (
  carrier: ByteStream,
  secret: Uint8Array,
): Promise<{ readonly stream: ByteStream; readonly remoteKey: Uint8Array }> => {
  const records = createRecords(carrier);
  const { ciphers, remoteKey } = await shakeHands(records, secret);
  const [outgoing, incoming] = ciphers;
  const inflow = createInflow();
  const follow = async (): Promise<never> => {
    for (;;) inflow.push(incoming.open(noBytes, await records.read()));
  };
  follow().catch((error: Error) => {
    inflow.end(error);
    carrier.close();
  });
  const send = (bytes: Uint8Array): void => {
    for (let at = 0; at < bytes.length; at += maxPlainBytes)
      records.send(outgoing.seal(noBytes, bytes.subarray(at, at + maxPlainBytes)));
  };
  return { stream: { send, read: inflow.read, close: carrier.close }, remoteKey };
};
