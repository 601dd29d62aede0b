import words from '@polkadot/util-crypto/mnemonic/wordlists/en';
import { sr25519DeriveHard } from '@polkadot/util-crypto/sr25519/deriveHard';
import { sr25519DeriveSoft } from '@polkadot/util-crypto/sr25519/deriveSoft';
import { sr25519PairFromSeed } from '@polkadot/util-crypto/sr25519/pair/fromSeed';
import { sr25519Sign } from '@polkadot/util-crypto/sr25519/sign';
import { toHex } from '../../meta/hex.ts';
import { parseSuri } from './suri.ts';

// The package's key and mnemonic functions would load a second crypto core of 190 kB; these few lines avoid
// it.

type Pair = ReturnType<typeof sr25519PairFromSeed>;

/** The entropy of an English phrase (BIP-39); throws TypeError if its checksum is wrong. */
const entropyOf = async (phrase: readonly string[]): Promise<Uint8Array<ArrayBuffer>> => {
  const bits = phrase.map((word) => {
    const index = words.indexOf(word.normalize('NFKD'));
    // Do not repeat the word: it may be part of a secret.
    if (index < 0) throw new TypeError('The phrase has a word that is not in the English word list.');
    return index.toString(2).padStart(11, '0');
  });
  const all = bits.join('');
  if (![12, 15, 18, 21, 24].includes(phrase.length))
    throw new TypeError(`A phrase has 12, 15, 18, 21 or 24 words, not ${phrase.length}.`);
  const size = Math.floor((all.length * 32) / 33);
  const entropy = Uint8Array.from(all.slice(0, size).match(/.{8}/g) ?? [], (byte) =>
    Number.parseInt(byte, 2),
  );
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', entropy));
  const check = (digest[0] ?? 0)
    .toString(2)
    .padStart(8, '0')
    .slice(0, all.length - size);
  if (check !== all.slice(size)) throw new TypeError('The phrase is not valid: its checksum does not match.');
  return entropy;
};

/** Mini secret as in substrate-bip39: derived from the entropy, not from the words. */
const seedOfPhrase = async (phrase: readonly string[], password: string): Promise<Uint8Array> => {
  const key = await crypto.subtle.importKey('raw', await entropyOf(phrase), 'PBKDF2', false, ['deriveBits']);
  const salt = new TextEncoder().encode(`mnemonic${password}`.normalize('NFKD'));
  const bits = await crypto.subtle.deriveBits(
    { name: 'PBKDF2', hash: 'SHA-512', salt, iterations: 2048 },
    key,
    512,
  );
  return new Uint8Array(bits).slice(0, 32);
};

const pairOf = async (text: string): Promise<Pair> => {
  const { secret, junctions, password } = parseSuri(text);
  const seed = secret instanceof Uint8Array ? secret : await seedOfPhrase(secret, password);
  return junctions.reduce<Pair>(
    (pair, { soft, chainCode }) =>
      soft ? sr25519DeriveSoft(pair, chainCode) : sr25519DeriveHard(pair, chainCode),
    sr25519PairFromSeed(seed),
  );
};

/** The account id (0x string) of a secret URI's sr25519 key; rejects if the URI is invalid. */
export const accountOfSuri = async (suri: string): Promise<string> => toHex((await pairOf(suri)).publicKey);

/** The sr25519 signature (64 bytes, 0x string) of a payload with a secret URI's key. */
export const signWithSuri = async (suri: string, payload: Uint8Array): Promise<string> =>
  toHex(sr25519Sign(payload, await pairOf(suri)));
