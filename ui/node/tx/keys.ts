import { accountIdOf, type KeyType, type Pair, signMessage } from '../../../src/accounts/pair.ts';
import { pairOfUri } from '../../../src/accounts/uri-pair.ts';
import { toHex } from '../../../src/scale/hex.ts';

const expected = 'Enter a phrase of 12 or 24 words, 0x and 64 hexadecimal digits, or //Name.';

/** The pair of a secret URI that was typed. Rejects with what is wrong; the message repeats at most single mistyped words. */
export const pairOfSuri = async (text: string, type: KeyType = 'sr25519'): Promise<Pair> => {
  // A space at the end of a password is part of it.
  const suri = text.includes('///') ? text.trimStart() : text.trim();
  const [phrase = ''] = suri.split('/');
  const isWord = phrase !== '' && !/\s|^0x/i.test(phrase.trim());
  if (suri === '' || suri.startsWith('///') || isWord) throw new TypeError(expected);
  return pairOfUri(suri, type);
};

/** The account id (0x string) of a secret URI's sr25519 key; rejects if the URI is invalid. */
export const accountOfSuri = async (suri: string): Promise<string> =>
  toHex(accountIdOf(await pairOfSuri(suri)));

/** The sr25519 signature (64 bytes, 0x string) of a payload with a secret URI's key. */
export const signWithSuri = async (suri: string, payload: Uint8Array): Promise<string> => {
  const pair = await pairOfSuri(suri);
  try {
    return toHex(signMessage(pair, payload));
  } finally {
    pair.secret.fill(0);
  }
};
