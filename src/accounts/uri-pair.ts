import { blake2AsU8a } from '@polkadot/util-crypto/blake2';
import { hdEthereum, hdValidatePath } from '@polkadot/util-crypto/hd';
import { keyFromPath } from '@polkadot/util-crypto/key';
import { pbkdf2Encode } from '@polkadot/util-crypto/pbkdf2';
import { NodeError } from '../protocol/errors.ts';
import { developmentPhrase, parseSecretUri, type SecretUri } from '../protocol/secret-uri.ts';
import { fromHex } from '../scale/hex.ts';
import { readPhrase } from './mnemonic.ts';
import { type KeyType, type Pair, pairOfSeed } from './pair.ts';

const bad = (message: string, cause?: unknown): NodeError =>
  new NodeError('BadKey', message, cause === undefined ? {} : { cause });

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** PBKDF2 of BIP-39: 2048 rounds of HMAC-SHA-512, 64 bytes. */
const stretch = (secret: Uint8Array, password: string): Uint8Array =>
  pbkdf2Encode(secret, bytesOf(`mnemonic${password}`), 2048).password;

/** The longest text that is read. */
const longest = 4096;

/** Mini secret of the development phrase, from which //Alice and others are derived: public, and stretched often. */
const developmentSeed = '0xfac7959dbfe72f052e5a0c3c8d6530f202b02fd8f9f5ca3580ec8deb7797479e';

/** The 32 bytes of a hexadecimal seed; null for a phrase. The SDK's parser of hexadecimal digits takes another 0x. */
const hexSeedOf = ({ phrase }: SecretUri): Uint8Array | null => {
  if (!/^0x/.test(phrase)) return null;
  const [, digits] = /^0x(?:0x)?([0-9a-fA-F]{64})$/.exec(phrase) ?? [];
  if (digits === undefined) throw bad('A seed is 0x followed by 64 hexadecimal digits.');
  return fromHex(digits);
};

/** The seed of a phrase as in substrate-bip39: from the entropy, not from the words, and the password as it is. */
export const seedOfPhrase = async (phrase: string, password: string): Promise<Uint8Array> => {
  if (phrase === developmentPhrase && password === '') return fromHex(developmentSeed);
  const { entropy } = await readPhrase(phrase);
  return stretch(entropy, password).slice(0, 32);
};

const ethereumPair = async (uri: SecretUri): Promise<Pair> => {
  const { path, password } = uri;
  if (password !== '') throw bad('Keys of Ethereum accounts take no password after ///.');
  const hex = hexSeedOf(uri);
  if (hex !== null) {
    // A private key is the key itself, which polkadot-js derives no further.
    if (path !== '') throw bad('A private key of Ethereum takes no path.');
    return pairOfSeed('ethereum', hex);
  }
  const derivation = path.slice(1);
  if (derivation !== '' && !hdValidatePath(derivation))
    throw bad("The path of an Ethereum key is written as /m/44'/60'/0'/0/0.");
  const { words } = await readPhrase(uri.phrase);
  return pairOfSeed('ethereum', hdEthereum(stretch(bytesOf(words), ''), derivation).secretKey);
};

const substratePair = async (uri: SecretUri, type: Exclude<KeyType, 'ethereum'>): Promise<Pair> => {
  const { phrase, password, junctions } = uri;
  if (type !== 'sr25519' && junctions.some(({ soft }) => soft))
    throw bad(`Only sr25519 keys have soft derivations (/path); use //path for ${type}.`);
  const seed = hexSeedOf(uri) ?? (await seedOfPhrase(phrase, password));
  const first = pairOfSeed(type, seed);
  const steps = junctions.map(({ soft, chainCode }) => ({ chainCode, isSoft: soft, isHard: !soft }));
  const { publicKey, secretKey } = keyFromPath(
    { publicKey: first.publicKey, secretKey: first.secret },
    steps as unknown as Parameters<typeof keyFromPath>[1],
    type,
  );
  return { type, publicKey, secret: secretKey };
};

/**
 * The pair of a secret URI by the rules of sp-core, such as `//Alice`, `phrase//hard/soft///password` or `0x<32 bytes>//path`. The
 * phrase may be of any BIP-39 word list. Ethereum: a phrase with a path of BIP-32, or a private key. Rejects with `BadKey`, whose
 * message repeats at most single mistyped words.
 */
export const pairOfUri = async (text: string, type: KeyType): Promise<Pair> => {
  if (text.length > longest) throw bad(`A secret URI has at most ${longest} characters.`);
  const blake2b256 = (data: Uint8Array) => blake2AsU8a(data);
  const uri = parseSecretUri(blake2b256, text, 'all');
  try {
    return await (type === 'ethereum' ? ethereumPair(uri) : substratePair(uri, type));
  } catch (cause) {
    if (cause instanceof NodeError) throw cause;
    throw bad('The seed is not a secret key of this type.', cause);
  }
};
