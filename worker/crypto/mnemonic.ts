import { wordlist } from '@scure/bip39/wordlists/english.js';
import type { Hash } from './hashes.ts';

const bitsOfWord = 11;

/**
 * The entropy, 16 to 32 bytes, of an English mnemonic; null if a word is unknown, the count is not 12, 15,
 * 18, 21 or 24, or the checksum is wrong (BIP-39). `sha2256` is passed in from the core, because the library
 * of the word list would add another.
 */
export const mnemonicToEntropy = (sha2256: Hash, words: readonly string[]): Uint8Array | null => {
  const count = words.length;
  if (count < 12 || count > 24 || count % 3 !== 0) return null;
  let all = 0n;
  for (const word of words) {
    const index = wordlist.indexOf(word);
    if (index < 0) return null;
    all = (all << BigInt(bitsOfWord)) | BigInt(index);
  }
  const checkBits = count / 3;
  const entropy = new Uint8Array(checkBits * 4);
  let rest = all >> BigInt(checkBits);
  for (let at = entropy.length - 1; at >= 0; at--) {
    entropy[at] = Number(rest & 0xffn);
    rest >>= 8n;
  }
  const check = (sha2256(entropy)[0] as number) >> (8 - checkBits);
  return BigInt(check) === (all & ((1n << BigInt(checkBits)) - 1n)) ? entropy : null;
};
