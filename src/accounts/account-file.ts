import * as z from 'zod/mini';
import { NodeError } from '../protocol/errors.ts';
import { readHex } from '../scale/hex.ts';
import { type KeyType, keyTypes } from './pair.ts';

/** Larger files are not accounts: a batch of a thousand has less than one MB. */
export const mostBytes = 5_000_000;
const mostAccounts = 1000;
/** Base64 or hexadecimal characters of one account, which takes a few hundred. */
const mostEncoded = 2000;
const mostName = 100;

/** An encrypted part as polkadot-js writes it. */
export type Sealed = {
  readonly bytes: Uint8Array;
  /** How the key is made from the password: since version 3 by scrypt. Null if nothing is encrypted. */
  readonly cipher: 'scrypt' | 'plain' | null;
};

/** An account as its file shows it without the password; none of it is proven until it is opened. */
export type AccountFile = {
  readonly kind: 'account';
  /** Null in version 0, which names no type. */
  readonly type: KeyType | null;
  /** SS58 address or public key in hexadecimal; null if the file has none. */
  readonly address: string | null;
  readonly name: string | null;
  /** The chain that the account was made for. */
  readonly genesisHash: string | null;
  readonly sealed: Sealed;
  /** The JSON of this account alone, with nothing but what is read here. */
  readonly text: string;
};

/** Several accounts in one encrypted part, each of which may have a password of its own. */
export type BatchFile = { readonly kind: 'batch'; readonly count: number; readonly sealed: Sealed };

const bad = (message: string, cause?: unknown): NodeError =>
  new NodeError('BadAccountFile', message, cause === undefined ? {} : { cause });

const meta = z.nullish(z.looseObject({ name: z.nullish(z.unknown()), genesisHash: z.nullish(z.unknown()) }));
const schema = z.looseObject({
  encoded: z.string(),
  encoding: z.looseObject({
    content: z.union([z.string(), z.array(z.string())]),
    type: z.union([z.string(), z.array(z.string())]),
    version: z.union([z.string(), z.number()]),
  }),
  address: z.nullish(z.string()),
  meta,
  accounts: z.optional(z.array(z.unknown())),
});

const toArray = (value: string | readonly string[]): readonly string[] =>
  typeof value === 'string' ? [value] : value;

/** Control characters, which a terminal obeys, and those that turn the direction of text. */
const unprintable = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

const shorten = (value: unknown, most: number): string | null =>
  (typeof value === 'string' && value.slice(0, most).replace(unprintable, '')) || null;

/** Base 64 of a random salt begins with `0x` too, once in 4,096 files, so that only the whole text tells them apart. */
const bytesOfEncoded = (encoded: string): Uint8Array => {
  const bytes = encoded.startsWith('0x') ? readHex(encoded) : null;
  if (bytes !== null) return bytes;
  try {
    return Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0));
  } catch (cause) {
    throw bad('The encrypted part of the file is damaged: it is neither base 64 nor hexadecimal.', cause);
  }
};

const parseJson = (text: string): unknown => {
  try {
    // Editors of Windows put a byte order mark first, which `trim` takes for white space, as it is not for JSON.
    return JSON.parse(text.trim());
  } catch (cause) {
    if (!text.trimStart().startsWith('{'))
      throw bad('The file is not JSON, as an exported account is.', cause);
    throw bad('The file ends too early or is damaged: it is not complete JSON.', cause);
  }
};

const versions: readonly string[] = ['0', '1', '2', '3'];

/** Bytes around the secret and the public key: header 16, divider 5; sealed, salt and parameters 44, nonce 24, tag 16. */
const around = { null: 21, plain: 61, scrypt: 105 } as const;
const publicLengths = [20, 32, 33, 64, 65];

/** Throws if no secret and public key have the length of what is sealed: a piece is missing, or too much. */
const checkLength = ({ bytes, cipher }: Sealed): void => {
  const inner = bytes.length - around[`${cipher}`];
  if (publicLengths.some((length) => inner === length + 64 || inner === length + 32)) return;
  throw bad('The encrypted part of the file is damaged: it does not have the length of an account.');
};

const cipherOf = (names: readonly string[]): Sealed['cipher'] => {
  const [first = 'none'] = names;
  if (names.length === 2 && first === 'scrypt' && names[1] === 'xsalsa20-poly1305') return 'scrypt';
  if (names.length === 1 && first === 'xsalsa20-poly1305') return 'plain';
  if (names.length <= 1 && first === 'none') return null;
  throw bad('The file is encrypted in a way that no version of polkadot-js has used.');
};

/** Throws `LimitReached` for files that are too large to be accounts, before they are read. */
export const checkFileSize = (bytes: number): void => {
  if (bytes <= mostBytes) return;
  throw new NodeError(
    'LimitReached',
    `The file has ${Math.ceil(bytes / 1_000_000)} MB; a file of accounts has at most ${mostBytes / 1_000_000}.`,
  );
};

const typeOf = (content: readonly string[], version: string): KeyType | null => {
  if (content[0] !== 'pkcs8') throw bad('The file is JSON, but not an exported account of polkadot-js.');
  if (version === '0' || content.length === 1) return null;
  const type = keyTypes.find((one) => one === content[1]);
  if (type !== undefined) return type;
  throw bad(`The account has keys of a type that is not known here; known are ${keyTypes.join(', ')}.`);
};

/**
 * Reads what the JSON of an account or a batch shows without its password: all versions that polkadot-js has written (0 to 3).
 * Throws `BadAccountFile` and `LimitReached`.
 */
export const readAccountFile = (text: string): AccountFile | BatchFile => {
  checkFileSize(text.length);
  return readValue(parseJson(text));
};

const readValue = (value: unknown): AccountFile | BatchFile => {
  const found = z.safeParse(schema, value);
  if (!found.success) throw bad('The file is JSON, but not an exported account of polkadot-js.', found.error);
  const { encoded, encoding, address, meta: given, accounts } = found.data;
  const version = String(encoding.version);
  if (!versions.includes(version))
    throw bad('The file has a version that is not known here; known are 0, 1, 2 and 3.');
  const content = toArray(encoding.content);
  const isBatch = content[0] === 'batch-pkcs8';
  if (!isBatch && encoded.length > mostEncoded)
    throw bad('The encrypted part of the file is damaged: it is too long for an account.');
  const type = isBatch ? null : typeOf(content, version);
  const sealed = { bytes: bytesOfEncoded(encoded), cipher: cipherOf(toArray(encoding.type)) };
  if (isBatch) {
    if ((accounts?.length ?? 0) > mostAccounts)
      throw new NodeError('LimitReached', `A file of accounts has at most ${mostAccounts}.`);
    return { kind: 'batch', count: accounts?.length ?? 0, sealed };
  }
  checkLength(sealed);
  const genesis = shorten(given?.genesisHash, 66);
  const shown = {
    address: shorten(address, mostName),
    name: shorten(given?.name, mostName),
    genesisHash: genesis !== null && /^0x[0-9a-f]{64}$/i.test(genesis) ? genesis : null,
  };
  const alone = {
    encoded,
    encoding: { content: content.slice(0, 2), type: toArray(encoding.type), version },
    address: shown.address,
    meta: { name: shown.name, genesisHash: shown.genesisHash },
  };
  return { kind: 'account', type, ...shown, sealed, text: JSON.stringify(alone) };
};

/** The accounts in the decrypted part of a batch. Throws `BadAccountFile` and `LimitReached`. */
export const readBatch = (text: string): readonly AccountFile[] => {
  const list = parseBatch(text);
  if (list.length > mostAccounts)
    throw new NodeError('LimitReached', `A file of accounts has at most ${mostAccounts}.`);
  return list.map((one, at) => {
    try {
      const file = readValue(one);
      if (file.kind === 'account') return file;
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      throw new NodeError(error.code, `Account ${at + 1} of ${list.length}: ${error.message}`, {
        cause: error,
      });
    }
    throw bad('The file holds other files of several accounts, which polkadot-js does not write.');
  });
};

const parseBatch = (text: string): readonly unknown[] => {
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list)) return list;
  } catch (cause) {
    throw bad('The decrypted part of the file is damaged: it is not JSON.', cause);
  }
  throw bad('The decrypted part of the file is damaged: it is not a list of accounts.');
};
