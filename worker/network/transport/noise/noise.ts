import { concatBytes, noBytes, textToBytes } from '../../../bytes/bytes.ts';
import {
  agreeOn,
  type Cipher,
  createCipher,
  deriveTwo,
  type ExchangeKeys,
  secretBytes,
  sha256,
  tagBytes,
} from '../../../crypto/network-ciphers.ts';
import { ProtocolError } from '../protocol-error.ts';

/** The handshake pattern XX of Noise (noiseprotocol.org, revision 34), as a machine without input or output. */
const protocol = textToBytes('Noise_XX_25519_ChaChaPoly_SHA256');
const sealedKeyBytes = secretBytes + tagBytes;

const tooShort = (): ProtocolError => new ProtocolError('A message of the Noise handshake is too short');

/** The state that each step of a handshake depends on. */
const createTranscript = (prologue: Uint8Array) => {
  // The name has 32 bytes, so it is the first hash itself.
  let hash: Uint8Array = protocol;
  let chaining: Uint8Array = protocol;
  let cipher: Cipher | null = null;
  const add = (bytes: Uint8Array): void => {
    hash = sha256(concatBytes(hash, bytes));
  };
  add(prologue);
  return {
    add,
    addSecret: (secret: Uint8Array): void => {
      const [next, key] = deriveTwo(chaining, secret);
      chaining = next;
      cipher = createCipher(key);
    },
    seal: (plain: Uint8Array): Uint8Array => {
      let sealed = plain;
      if (cipher !== null) {
        sealed = new Uint8Array(plain.length + tagBytes);
        cipher.seal(hash, plain, sealed);
      }
      add(sealed);
      return sealed;
    },
    open: (sealed: Uint8Array): Uint8Array => {
      if (cipher === null) {
        add(sealed);
        return sealed;
      }
      if (sealed.length < tagBytes) throw tooShort();
      const plain = new Uint8Array(sealed.length - tagBytes);
      try {
        cipher.open(hash, sealed, plain);
      } catch {
        throw new ProtocolError('A message of the Noise handshake was altered');
      }
      add(sealed);
      return plain;
    },
    hash: () => hash,
    /** The keys of the dialing side's messages, and of the other's. */
    split: () => deriveTwo(chaining, noBytes),
  };
};

export type NoiseKeys = {
  /** Of what this side sends, and of what it receives. */
  readonly sending: Uint8Array;
  readonly receiving: Uint8Array;
  /** The same on both sides, and different for each connection. */
  readonly hash: Uint8Array;
};

/** Both sides write and read in turn: the dialing side writes first and third. */
export type NoiseXx = {
  write(payload: Uint8Array): Uint8Array;
  /** The payload. Throws `ProtocolError`. */
  read(message: Uint8Array): Uint8Array;
  /** The other side's static key; known once its message has been read. */
  remoteStatic(): Uint8Array;
  /** After the third message. */
  finish(): NoiseKeys;
};

type XxOptions = {
  readonly isDialer: boolean;
  readonly staticKeys: ExchangeKeys;
  readonly ephemeralKeys: ExchangeKeys;
  readonly prologue?: Uint8Array;
};

export const createNoiseXx = (options: XxOptions): NoiseXx => {
  const { isDialer, staticKeys, ephemeralKeys, prologue = noBytes } = options;
  const transcript = createTranscript(prologue);
  let theirEphemeral = noBytes;
  let theirStatic = noBytes;
  let step = 0;
  const share = (keys: ExchangeKeys, theirs: Uint8Array): void => {
    try {
      transcript.addSecret(agreeOn(keys, theirs));
    } catch {
      throw new ProtocolError('A key of the Noise handshake is not usable');
    }
  };
  const writeEphemeral = (): Uint8Array => {
    transcript.add(ephemeralKeys.publicKey);
    return ephemeralKeys.publicKey;
  };
  const readEphemeral = (message: Uint8Array): Uint8Array => {
    if (message.length < secretBytes) throw tooShort();
    theirEphemeral = message.slice(0, secretBytes);
    transcript.add(theirEphemeral);
    return message.subarray(secretBytes);
  };
  const writeStatic = (): Uint8Array => {
    const sealed = transcript.seal(staticKeys.publicKey);
    share(staticKeys, theirEphemeral);
    return sealed;
  };
  const readStatic = (message: Uint8Array): Uint8Array => {
    if (message.length < sealedKeyBytes) throw tooShort();
    theirStatic = transcript.open(message.subarray(0, sealedKeyBytes));
    share(ephemeralKeys, theirStatic);
    return message.subarray(sealedKeyBytes);
  };
  /** -> e | <- e, ee, s, es | -> s, se */
  const writes = [
    writeEphemeral,
    () => {
      const ephemeral = writeEphemeral();
      share(ephemeralKeys, theirEphemeral);
      return concatBytes(ephemeral, writeStatic());
    },
    writeStatic,
  ];
  const reads = [
    readEphemeral,
    (message: Uint8Array) => {
      const rest = readEphemeral(message);
      share(ephemeralKeys, theirEphemeral);
      return readStatic(rest);
    },
    readStatic,
  ];
  const next = <T>(steps: readonly T[], isWriting: boolean): T => {
    const turn = steps[step];
    if (turn === undefined || isWriting !== (isDialer === (step % 2 === 0)))
      throw new Error('This is not the turn of this side');
    step++;
    return turn;
  };
  return {
    write: (payload) => {
      const keys = next(writes, true)();
      return concatBytes(keys, transcript.seal(payload));
    },
    read: (message) => transcript.open(next(reads, false)(message)),
    remoteStatic: () => theirStatic,
    finish: () => {
      const [dialing, listening] = transcript.split();
      const [sending, receiving] = isDialer ? [dialing, listening] : [listening, dialing];
      return { sending, receiving, hash: transcript.hash() };
    },
  };
};
