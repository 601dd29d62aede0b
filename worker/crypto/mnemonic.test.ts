import * as bip39 from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadCrypto } from './crypto.ts';
import { mnemonicToEntropy } from './mnemonic.ts';

const { sha2256 } = await loadCrypto();
const read = (text: string): Uint8Array | null => mnemonicToEntropy(sha2256, text.split(' '));

const entropies = fc
  .constantFrom(16, 20, 24, 28, 32)
  .chain((length) => fc.uint8Array({ minLength: length, maxLength: length }));

describe('the entropy of a mnemonic', () => {
  it('equals the one that its words encode', () => {
    fc.assert(
      fc.property(entropies, (entropy) => {
        expect(read(bip39.entropyToMnemonic(entropy, wordlist))).toEqual(entropy);
      }),
    );
  });

  it('exists for the same texts as in the library; most changed words break the checksum', () => {
    const change = fc.tuple(entropies, fc.nat(23), fc.nat(2047));
    fc.assert(
      fc.property(change, ([entropy, place, index]) => {
        const words = bip39.entropyToMnemonic(entropy, wordlist).split(' ');
        words[place % words.length] = wordlist[index] as string;
        const text = words.join(' ');
        expect(read(text) !== null).toBe(bip39.validateMnemonic(text, wordlist));
      }),
    );
  });

  it.each([
    '',
    'abandon',
    'legal winner thank',
    `${'abandon '.repeat(11)}nothing`,
    'abandon '.repeat(26).trim(),
  ])('does not exist for %j', (text) => {
    expect(read(text)).toBeNull();
  });
});
