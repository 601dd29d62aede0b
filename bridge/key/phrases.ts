import { NodeError } from '../../src/protocol/errors.ts';
import { bytesToHex } from '../../worker/bytes/hex.ts';
import type { Crypto } from '../../worker/crypto/crypto.ts';
import type { DerivedPair, Scheme } from '../../worker/crypto/keys.ts';

const pairOrNull = (crypto: Crypto, scheme: Scheme, uri: string): DerivedPair | null => {
  try {
    return crypto.suriToPair(uri, scheme);
  } catch (error) {
    if (error instanceof NodeError && error.code === 'BadKey') return null;
    throw error;
  }
};

/** Whether a text has several words before its first slash, as phrases have. */
export const hasPhrase = (uri: string): boolean => /\S\s+\S/.test(uri.replace(/\/.*$/s, ''));

/**
 * The key pair of a secret URI; null if the text is not one. The crypto core knows the English word list and prints seeds as the SDK does;
 * it is given the seed of a phrase of another list. `isBarePhrase`: the text is a phrase as it was typed, which may have a password from a flag. Throws `BadKey` for a phrase with a fault, and names the words that are mistyped.
 */
export const findPair = async (
  crypto: Crypto,
  scheme: Scheme,
  uri: string,
  isBarePhrase = false,
): Promise<DerivedPair | null> => {
  const pair = pairOrNull(crypto, scheme, uri);
  if (pair !== null || !hasPhrase(uri)) return pair;
  const [, phrase = '', path = '', password = ''] =
    /^([^/]*)((?:\/\/?[^/]+)*)(?:\/\/\/(.*))?$/s.exec(uri) ?? [];
  const { readPhrase } = await import('../../src/accounts/mnemonic.ts');
  // The SDK takes tabs between English words, or wide letters, from `key inspect` alone, and without a path.
  if (!isBarePhrase && (await readPhrase(phrase)).language === 'english')
    throw new NodeError(
      'BadKey',
      'Write the words of the phrase in plain letters, with single spaces between them.',
    );
  const { seedOfPhrase } = await import('../../src/accounts/uri-pair.ts');
  const seed = bytesToHex(await seedOfPhrase(phrase, password));
  return pairOrNull(crypto, scheme, seed + path);
};
