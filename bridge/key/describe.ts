import { NodeError } from '../../src/protocol/errors.ts';
import { bytesToHex } from '../../worker/bytes/hex.ts';
import type { Crypto } from '../../worker/crypto/crypto.ts';
import type { Scheme } from '../../worker/crypto/keys.ts';
import { ss58Decode, ss58Encode } from '../../worker/crypto/ss58.ts';
import { defaultPrefix, type KeyFormat, networkName } from './options.ts';
import { findPair, hasPhrase } from './phrases.ts';
import { type SecretGiven, toHexBytes } from './secrets.ts';

/** What is known about a key. `seed` is undefined for a public one, null if its derivation leaves none. */
export type KnownKey = {
  readonly kind: 'phrase' | 'uri' | 'address' | 'hex';
  readonly given: string;
  readonly prefix: number;
  readonly publicKey: Uint8Array;
  readonly seed?: Uint8Array | null;
};

const publicLength = (scheme: Scheme): number => (scheme === 'ecdsa' ? 33 : 32);

const orNull = <T>(call: () => T): T | null => {
  try {
    return call();
  } catch (error) {
    if (error instanceof NodeError && error.code === 'BadKey') return null;
    throw error;
  }
};

/** A public key in hexadecimal. Throws `BadHex` and `BadKey`. */
export const readPublicHex = (scheme: Scheme, text: string): Uint8Array => {
  const publicKey = toHexBytes('The public key', text);
  if (publicKey.length === publicLength(scheme)) return publicKey;
  throw new NodeError('BadKey', `A public key of ${scheme} has ${publicLength(scheme)} bytes`);
};

/** The key of an address; null if it does not belong to a key of this scheme. */
export const readAddress = (
  crypto: Crypto,
  scheme: Scheme,
  text: string,
): { readonly publicKey: Uint8Array; readonly prefix: number } | null =>
  orNull(() => ss58Decode(crypto, text, [publicLength(scheme)]));

/** What a text denotes, tried in the SDK's order: phrase, secret URI, address. Throws `BadKey`. */
export const findKey = async (
  crypto: Crypto,
  scheme: Scheme,
  { uri, full }: SecretGiven,
  network: number | undefined,
): Promise<KnownKey> => {
  const pair = await findPair(crypto, scheme, full, !uri.includes('/'));
  if (pair !== null) {
    const kind = hasPhrase(uri) && !uri.includes('/') ? 'phrase' : 'uri';
    const { publicKey, seed } = pair;
    return { kind, given: uri, prefix: network ?? defaultPrefix, publicKey, seed };
  }
  const found = readAddress(crypto, scheme, uri);
  if (found === null) throw new NodeError('BadKey', 'Invalid phrase/URI given');
  return { kind: 'address', given: uri, prefix: network ?? found.prefix, publicKey: found.publicKey };
};

/** An account's id: the key itself, or for ecdsa its hash (sp-runtime, `MultiSigner`). */
export const accountOf = (crypto: Crypto, publicKey: Uint8Array): Uint8Array =>
  publicKey.length === 33 ? crypto.blake2b256(publicKey) : publicKey;

const givenNames = {
  phrase: 'secretPhrase',
  uri: 'secretKeyUri',
  address: 'publicKeyUri',
  hex: null,
} as const;

/** The SDK's fields, in the order of the alphabet. */
const fieldsOf = (crypto: Crypto, { kind, given, prefix, publicKey, seed }: KnownKey) => {
  const account = accountOf(crypto, publicKey);
  const name = givenNames[kind];
  const fields = {
    accountId: bytesToHex(account),
    networkId: networkName(prefix),
    publicKey: bytesToHex(publicKey),
    ...(name === null ? {} : { [name]: given }),
    ...(seed === undefined ? {} : { secretSeed: seed === null ? 'n/a' : bytesToHex(seed) }),
    // For a public ecdsa key, the SDK shows the key in both places instead of the account.
    ss58Address: ss58Encode(crypto, seed === undefined ? publicKey : account, prefix),
    ss58PublicKey: ss58Encode(crypto, publicKey, prefix),
  };
  return fields;
};

const textOf = (crypto: Crypto, key: KnownKey): string => {
  const fields = fieldsOf(crypto, key);
  const isSecret = key.seed !== undefined;
  const rows: [label: string, value: string][] = [
    [isSecret ? 'Network ID:' : 'Network ID/Version:', fields.networkId],
    ...(isSecret ? ([['Secret seed:', String(fields.secretSeed)]] as [string, string][]) : []),
    ['Public key (hex):', fields.publicKey],
    ['Account ID:', fields.accountId],
    ['Public key (SS58):', fields.ss58PublicKey],
    ['SS58 Address:', fields.ss58Address],
  ];
  const lines = rows.map(([label, value]) => `${label.padEnd(isSecret ? 19 : 20)}${value}`);
  const first = {
    phrase: [`Secret phrase:       ${key.given}`],
    uri: [`Secret Key URI \`${key.given}\` is account:`],
    address: [`Public Key URI \`${key.given}\` is account:`],
    hex: [],
  }[key.kind];
  return [...first, ...lines].join('\n  ');
};

/** The SDK's text or JSON of a key, with its secret if that is known. */
export const describeKey = (crypto: Crypto, key: KnownKey, format: KeyFormat): string => {
  if (format === 'text') return textOf(crypto, key);
  return JSON.stringify(fieldsOf(crypto, key), null, format === 'json' ? 2 : 0);
};
