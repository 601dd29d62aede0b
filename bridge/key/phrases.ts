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
 * it is given the seed of a phrase of another list. Throws `BadKey` for a phrase with a fault, and names the words that are mistyped.
 */
export const findPair = async (crypto: Crypto, scheme: Scheme, uri: string): Promise<DerivedPair | null> => {
  const pair = pairOrNull(crypto, scheme, uri);
  if (pair !== null || !hasPhrase(uri)) return pair;
  const [, phrase = '', path = '', password = ''] =
    /^([^/]*)((?:\/\/?[^/]+)*)(?:\/\/\/(.*))?$/s.exec(uri) ?? [];
  const { readPhrase } = await import('../../src/accounts/mnemonic.ts');
  // What the crypto core refuses of the English list, the SDK's node does, too: tabs between words, or wide letters.
  if ((await readPhrase(phrase)).language === 'english')
    throw new NodeError(
      'BadKey',
      'Write the words of the phrase in plain letters, with single spaces between them.',
    );
  const { seedOfPhrase } = await import('../../src/accounts/uri-pair.ts');
  const seed = bytesToHex(await seedOfPhrase(phrase, password));
  return pairOrNull(crypto, scheme, seed + path);
};
