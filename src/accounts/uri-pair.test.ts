import { Keyring } from '@polkadot/keyring';
import { cryptoWaitReady, mnemonicGenerate } from '@polkadot/util-crypto';
import * as lists from '@polkadot/util-crypto/mnemonic/wordlists';
import { beforeAll, describe, expect, it } from 'vitest';
import vectors from '../../test/vectors/secret-uris.json' with { type: 'json' };
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import { toHex } from '../scale/hex.ts';
import { generatePhrase, languages, readPhrase, wordCounts } from './mnemonic.ts';
import { accountIdOf, type KeyType, signMessage } from './pair.ts';
import { pairOfUri } from './uri-pair.ts';

const { suriToPair } = await loadCrypto();
beforeAll(async () => {
  await cryptoWaitReady();
});

const phrase = 'caution juice atom organ advance problem want pledge someone senior holiday very';

const wordlists: Readonly<Record<string, string[]>> = { ...lists };

const publicKeyOf = async (uri: string): Promise<string | null> => {
  try {
    return toHex((await pairOfUri(uri, 'sr25519')).publicKey);
  } catch (error) {
    expect(error).toMatchObject({ code: 'BadKey' });
    return null;
  }
};

/** A native node takes ASCII phrases; those of other word lists and with other white space are valid here as well. */
const isAscii = (uri: string): boolean => /^[a-zA-Z0-9 ]*(\/|$)/.test(uri);

describe('secret URIs of all scripts give the keys of a native node, or are refused as there', () => {
  it.each(vectors)('$uri', async ({ uri, publicKey }) => {
    const own = await publicKeyOf(uri);
    if (publicKey !== null || isAscii(uri)) expect(own).toBe(publicKey);
  });
});

/** From the README of subkey and the tests of sp-core; `//Alice` from sp-keyring. */
describe("published keys of subkey and sp-core's tests", () => {
  it.each<[KeyType, string, string]>([
    ['sr25519', '//Alice', '0xd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d'],
    ['ed25519', '//Alice', '0x88dc3417d5058ec4b4503e0c12ea1a0a89be200fe98922423d4334014fa6b0ee'],
    ['ecdsa', '//Alice', '0x020a1091341fe5664bfa1782d5e04779689068c916b04cb365ec3153755684d9a1'],
    ['sr25519', `${phrase}`, '0xd6a3105d6768e956e9e5d41050ac29843f98561410d3a47f9dd5b3b227ab8746'],
    [
      'sr25519',
      `${phrase}//hard/soft///pw`,
      '0xd6a124e7dd6b91d4472f8bb8e598c4b56a272000c81bc3f1eecd50eb050bde47',
    ],
    [
      'ed25519',
      '0x9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
      '0xd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    ],
  ])('%s %s', async (type, uri, publicKey) => {
    expect(toHex((await pairOfUri(uri, type)).publicKey)).toBe(publicKey);
  });

  it('Alith, the first account of Ethereum chains', async () => {
    const uri = `bottom drive obey lake curtain smoke basket hold race lonely fit walk/m/44'/60'/0'/0/0`;
    expect(toHex(accountIdOf(await pairOfUri(uri, 'ethereum')))).toBe(
      '0xf24ff3a9cf04c71dbc94d0b566f7a27b94566cac',
    );
  });
});

it.each(['sr25519', 'ed25519', 'ecdsa'] as const)('%s keys are those of the crypto core', async (type) => {
  for (const uri of [
    phrase,
    `${phrase}//18446744073709551615//18446744073709551616`,
    '//+5//0x05//é//e\u0301',
    `0x${'42'.repeat(32)}//a///b`,
    `//${'a name longer than thirty-two bytes '.repeat(3).trim()}`,
    `//${'x'.repeat(3000)}`,
    '//Alice',
  ])
    expect(toHex((await pairOfUri(uri, type)).publicKey), uri).toBe(toHex(suriToPair(uri, type).publicKey));
});

it('signs without changing its key', async () => {
  for (const type of ['sr25519', 'ed25519', 'ecdsa', 'ethereum'] as const) {
    const pair = await pairOfUri(`0x${'42'.repeat(32)}`, type);
    const before = toHex(pair.secret);
    signMessage(pair, Uint8Array.of(1, 2, 3));
    expect(toHex(pair.secret)).toBe(before);
  }
});

describe('mnemonics', () => {
  it.each(languages)('of the word list %s', async (language) => {
    for (const count of wordCounts) {
      const words = await generatePhrase(count, language);
      expect(words.normalize('NFKD').split(/\s+/)).toHaveLength(count);
      const read = await readPhrase(words);
      expect(read.entropy).toHaveLength((count * 4) / 3);
      // Their form: composed letters, and the space of Japanese.
      expect((await readPhrase(words.normalize('NFC').replaceAll(' ', '\u3000'))).entropy).toEqual(
        read.entropy,
      );
    }
    const theirs = mnemonicGenerate(12, wordlists[language]);
    const { publicKey } = new Keyring({ type: 'sr25519' }).addFromMnemonic(
      theirs,
      {},
      'sr25519',
      wordlists[language],
    );
    expect(await publicKeyOf(theirs)).toBe(toHex(publicKey));
  });

  it.each([
    ['drive bottom obey lake curtain smoke basket hold race lonely fit walk', 'checksum'],
    ['bottom drvie obey lake curtain smoke basket hold race lonely fit walk', 'Word 2, "drvie", is not'],
    ['bottom drvie obey lake curtain smoke basket hold race lonely fit wlak', 'and word 12, "wlak", are not'],
    [`${'abaco '.repeat(11)}zzz`, 'Word 12, "zzz", is not in the word list (italian)'],
    ['bottom drive', 'not 2'],
    [`${'abandon '.repeat(25)}`, 'not 25'],
    ['my secret is that i do not know what a phrase should', 'not made of the words'],
    [`bottom ${'q'.repeat(40)} obey lake curtain smoke basket hold race lonely fit walk`, 'not made of'],
    ['0x1234', '64 hexadecimal digits'],
    [`0x${'42'.repeat(32)}/m/0`, ''],
  ])('%s: %s', async (text, why) => {
    const fault = await pairOfUri(text, 'sr25519').then(
      () => '',
      (error: unknown) => {
        expect(error).toMatchObject({ code: 'BadKey' });
        return String(error);
      },
    );
    expect(fault).toContain(why);
    for (const secret of ['lake', 'secret', 'qqq']) expect(fault).not.toContain(secret);
  });
});

it.each<[KeyType, string, string]>([
  ['ed25519', '//Alice/soft', 'Only sr25519'],
  ['ecdsa', '/soft', 'Only sr25519'],
  ['ecdsa', `0x${'00'.repeat(32)}`, 'not a secret key'],
  ['ethereum', `0x${'ff'.repeat(32)}`, 'not a secret key'],
  ['ethereum', '//Alice', "m/44'/60'"],
  ['ethereum', `0x${'42'.repeat(32)}//Alice`, 'takes no path'],
  ['ethereum', `${phrase}///password`, 'no password'],
  ['sr25519', 'x'.repeat(5000), 'at most'],
  ['sr25519', 'a#b', 'not phrase, path and password'],
])('%s %s is refused: %s', async (type, uri, why) => {
  await expect(pairOfUri(uri, type)).rejects.toThrow(
    expect.objectContaining({ code: 'BadKey', message: expect.stringContaining(why) }),
  );
});
