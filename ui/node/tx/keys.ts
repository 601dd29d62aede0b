import { toHex } from '../../../src/scale/hex.ts';
import { createCore } from '../../../worker/crypto/core.ts';
import { compileCore } from '../../../worker/crypto/core-module.ts';
import { createKeys, type Keys } from '../../../worker/crypto/keys.ts';
import { isWord } from '../../../worker/crypto/mnemonic.ts';
import { createSr25519, type Sr25519 } from '../../../worker/crypto/sr25519.ts';

type Signer = Pick<Keys, 'suriToPair'> & Pick<Sr25519, 'sr25519Sign'>;

let compiling: Promise<WebAssembly.Module> | null = null;
/** Loads the node's crypto core. The first signature waits for it; a failed download is tried again. */
export const loadCore = (): Promise<WebAssembly.Module> => {
  compiling ??= compileCore().catch((fault: unknown) => {
    compiling = null;
    throw fault;
  });
  return compiling;
};

/** In an instance of its own, so that no secret outlives its use. */
const createSigner = async (): Promise<Signer> => {
  const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));
  const deps = { core: createCore(await loadCore()), random };
  return { ...createKeys(deps), ...createSr25519(deps) };
};

const expected = 'Enter a phrase of 12 or 24 words, 0x and 64 hexadecimal digits, or //Name.';

/** What is wrong with a secret URI that the core refused. Never repeats the text, which may be a secret. */
const reasonOf = (suri: string): string => {
  const [phrase = ''] = suri.split('/');
  const words = phrase.trim().split(/\s+/);
  if (/^0x/i.test(phrase)) return 'A seed is 0x followed by 64 hexadecimal digits.';
  if (words.length === 1 || !/^[a-zA-Z0-9 ]+$/.test(phrase)) return expected;
  if (![12, 15, 18, 21, 24].includes(words.length))
    return `A phrase has 12, 15, 18, 21 or 24 words, not ${words.length}.`;
  return words.every(isWord)
    ? 'The checksum of the phrase does not match.'
    : 'The phrase has a word that is not in the English word list.';
};

const longest = 4096;

const pairOf = ({ suriToPair }: Signer, text: string): ReturnType<Keys['suriToPair']> => {
  const suri = text.trim().slice(0, longest);
  if (suri === '' || suri.startsWith('///')) throw new TypeError(expected);
  try {
    return suriToPair(suri, 'sr25519');
  } catch {
    throw new TypeError(reasonOf(suri));
  }
};

/** The account id (0x string) of a secret URI's sr25519 key; rejects if the URI is invalid. */
export const accountOfSuri = async (suri: string): Promise<string> =>
  toHex(pairOf(await createSigner(), suri).publicKey);

/** The sr25519 signature (64 bytes, 0x string) of a payload with a secret URI's key. */
export const signWithSuri = async (suri: string, payload: Uint8Array): Promise<string> => {
  const signer = await createSigner();
  return toHex(signer.sr25519Sign(pairOf(signer, suri).secret, payload));
};
