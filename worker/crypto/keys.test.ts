import { createTestKeyring, Keyring } from '@polkadot/keyring';
import { mnemonicGenerate, mnemonicToMiniSecret } from '@polkadot/util-crypto';
import { describe, expect, test } from 'vitest';
import { developmentPhrase } from '../../src/protocol/secret-uri.ts';
import { bytesToHex, hexToBytes } from '../bytes/hex.ts';
import { loadCrypto } from './crypto.ts';
import type { Scheme } from './keys.ts';
import { ss58Decode, ss58Encode } from './ss58.ts';
import { describeFixture } from './vectors.fixture.ts';

type Fixture = {
  phrase: string;
  ss58Prefix: number;
  miniSecret: string;
  accounts: {
    uri: string;
    sr25519: string;
    ss58: string;
    ed25519: string;
    ed25519Ss58: string;
    ecdsa: string;
  }[];
  sr25519Derivations: { uri: string; sr25519: string }[];
  sr25519FromSeed: { seed: string; publicKey: string }[];
};

const crypto = await loadCrypto();
const { suriToPair } = crypto;

const publicHex = (suri: string, scheme: Scheme): string => bytesToHex(suriToPair(suri, scheme).publicKey);

describeFixture<Fixture>('crypto/dev-accounts.json', (fixture) => {
  test.each(fixture.accounts)('account "$uri"', (account) => {
    for (const scheme of ['sr25519', 'ed25519', 'ecdsa'] as const) {
      expect(publicHex(account.uri, scheme)).toBe(account[scheme]);
      expect(publicHex(`${fixture.phrase}${account.uri}`, scheme)).toBe(account[scheme]);
      expect(publicHex(`${fixture.miniSecret}${account.uri}`, scheme)).toBe(account[scheme]);
    }
    expect(ss58Encode(crypto, hexToBytes(account.sr25519), fixture.ss58Prefix)).toBe(account.ss58);
    expect(ss58Encode(crypto, hexToBytes(account.ed25519), fixture.ss58Prefix)).toBe(account.ed25519Ss58);
    expect(ss58Decode(crypto, account.ss58)).toEqual({
      publicKey: hexToBytes(account.sr25519),
      prefix: fixture.ss58Prefix,
    });
  });
  test.each(fixture.sr25519Derivations)('derivation $uri', ({ uri, sr25519 }) => {
    expect(publicHex(uri, 'sr25519')).toBe(sr25519);
  });
  test.each(fixture.sr25519FromSeed)('seed $seed', ({ seed, publicKey }) => {
    expect(publicHex(seed, 'sr25519')).toBe(publicKey);
  });
});

describe('against @polkadot/keyring', () => {
  const phrase = mnemonicGenerate();
  // Numbers beyond u64 are left out: the keyring treats them as 256-bit numbers, sp-core and this node as
  // text.
  const paths = ['', '//hard', '//1//2', '//18446744073709551615', '///pass word', '//a///p'];
  paths.push('//a name longer than thirty-two bytes when encoded', '//ünicode');
  const keyringType = { sr25519: 'sr25519', ed25519: 'ed25519', ecdsa: 'ecdsa' } as const;
  const cases = (['sr25519', 'ed25519', 'ecdsa'] as const).flatMap((scheme) =>
    paths.map((path) => [scheme, path] as const),
  );
  test.each(cases)('%s "%s"', (scheme, path) => {
    const theirs = new Keyring({ type: keyringType[scheme] }).createFromUri(`${phrase}${path}`);
    expect(publicHex(`${phrase}${path}`, scheme)).toBe(bytesToHex(theirs.publicKey));
  });
  test('mixed soft and hard sr25519', () => {
    const theirs = new Keyring({ type: 'sr25519' }).createFromUri(`${phrase}/soft//hard/3`);
    expect(publicHex(`${phrase}/soft//hard/3`, 'sr25519')).toBe(bytesToHex(theirs.publicKey));
  });
  test('the seed leads to the same key, until a soft derivation', () => {
    for (const scheme of ['sr25519', 'ed25519', 'ecdsa'] as const)
      for (const path of ['', '//hard', '//1//2///password']) {
        const { seed, publicKey } = suriToPair(`${phrase}${path}`, scheme);
        expect(suriToPair(bytesToHex(seed as Uint8Array), scheme).publicKey).toEqual(publicKey);
      }
    expect(suriToPair(`${phrase}//hard/soft`, 'sr25519').seed).toBeNull();
    const { seed, publicKey } = suriToPair(`${phrase}/soft//hard`, 'sr25519');
    expect(suriToPair(bytesToHex(seed as Uint8Array), 'sr25519').publicKey).toEqual(publicKey);
  });
  test("a number beyond u64 is text, one with a plus sign is a number (Rust's u64 parser)", () => {
    expect(publicHex('//+7', 'sr25519')).toBe(publicHex('//7', 'sr25519'));
    expect(publicHex('//18446744073709551616', 'sr25519')).not.toBe(publicHex('//0', 'sr25519'));
  });
  test('a hexadecimal seed', () => {
    const seed = bytesToHex(mnemonicToMiniSecret(phrase));
    expect(publicHex(seed, 'ed25519')).toBe(publicHex(phrase, 'ed25519'));
  });
  test('the phrase of the well-known accounts with an extra space gives the same keys', () => {
    const phrase = `${developmentPhrase} `;
    for (const scheme of ['sr25519', 'ed25519', 'ecdsa'] as const)
      expect(publicHex(`${phrase}//Alice`, scheme)).toBe(publicHex('//Alice', scheme));
  });
  test('the well-known accounts', () => {
    for (const pair of createTestKeyring({ type: 'sr25519' }).getPairs()) {
      const name = pair.meta['name'] as string;
      if (!/^(alice|bob|charlie|dave|eve|ferdie)$/.test(name)) continue;
      expect(publicHex(`//${name[0]?.toUpperCase()}${name.slice(1)}`, 'sr25519')).toBe(
        bytesToHex(pair.publicKey),
      );
    }
  });
});

describe('refused input', () => {
  test.each([
    ['soft derivation of ed25519', '/soft', 'ed25519'],
    ['soft derivation of ecdsa', '/soft', 'ecdsa'],
    [
      'a phrase with a wrong checksum',
      'bottom drive obey lake curtain smoke basket hold race lonely fit fit',
      'sr25519',
    ],
    ['a short seed', '0x1234', 'sr25519'],
    ['a secret of zero', `0x${'00'.repeat(32)}`, 'ecdsa'],
    ['a secret of zero, and a path', `0x${'00'.repeat(32)}//1`, 'ecdsa'],
    ['characters no phrase has', 'bottom-drive', 'sr25519'],
  ] as const)('%s', (_, suri, scheme) => {
    expect(() => suriToPair(suri, scheme)).toThrow(expect.objectContaining({ code: 'BadKey' }));
  });
  test('and the message never contains the secret', () => {
    expect(() => suriToPair('bottom drive obey', 'sr25519')).not.toThrow(/bottom|drive|obey/);
  });
});

test('the secrets are accepted by the sign functions', () => {
  const message = Uint8Array.of(1, 2, 3);
  const sr = suriToPair('//Alice/soft', 'sr25519');
  expect(crypto.sr25519Verify(crypto.sr25519Sign(sr.secret, message), message, sr.publicKey)).toBe(true);
  const ed = suriToPair('//Alice', 'ed25519');
  expect(crypto.ed25519Verify(crypto.ed25519Sign(ed.secret, message), message, ed.publicKey)).toBe(true);
  const ec = suriToPair('//Alice', 'ecdsa');
  const digest = crypto.blake2b256(message);
  const answer = crypto.ecdsaRecover(crypto.ecdsaSign(ec.secret, digest), digest, {
    compressed: true,
    strict: true,
  });
  expect(answer).toEqual({ ok: true, publicKey: ec.publicKey });
});
