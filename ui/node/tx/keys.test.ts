import { Keyring } from '@polkadot/keyring';
import { cryptoWaitReady, signatureVerify } from '@polkadot/util-crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { fromHex, toHex } from '../../../src/scale/hex.ts';
import { devAccounts, stashAccounts } from '../accounts.ts';
import { accountOfSuri, signWithSuri } from './keys.ts';

const phrase = 'bottom drive obey lake curtain smoke basket hold race lonely fit walk';
const keyring = new Keyring({ type: 'sr25519' });

beforeAll(async () => {
  await cryptoWaitReady();
});

describe('keys of secret URIs', () => {
  it('are the same as in polkadot-js, with every kind of junction', async () => {
    const seed = `0x${'42'.repeat(32)}`;
    const long = `//${'a long junction that does not fit '.repeat(3).trim().replaceAll(' ', '-')}`;
    for (const suri of [
      phrase,
      `${phrase}//Alice`,
      `${phrase}/soft`,
      `${phrase}//hard/soft//1/2`,
      `${phrase}///secret`,
      `${phrase}//Alice///secret`,
      `${phrase}//Alice///a secret / that ends with a space `,
      seed,
      `${seed}//Alice//stash`,
      `${phrase}${long}`,
    ])
      expect(await accountOfSuri(suri), suri).toBe(toHex(keyring.createFromUri(suri).publicKey));
    for (const { suri, id } of [...devAccounts, ...stashAccounts])
      expect(await accountOfSuri(suri ?? '')).toBe(id);
  });

  it('create signatures that another library verifies', async () => {
    const payload = new Uint8Array(200).fill(7);
    const signature = fromHex(await signWithSuri('//Alice', payload));
    const alice = devAccounts[0]?.id ?? '';
    expect(signatureVerify(payload, signature, alice)).toMatchObject({ isValid: true, crypto: 'sr25519' });
    expect(signatureVerify(payload.slice(1), signature, alice).isValid).toBe(false);
  });

  it('are rejected with the word that is mistyped, and no other part of the secret', async () => {
    for (const [bad, why] of [
      ['', 'Enter a phrase'],
      ['secretword', 'Enter a phrase of 12 or 24 words, 0x and 64 hexadecimal digits, or //Name.'],
      ['botom drive obey lake curtain smoke basket hold race lonely fit secretword', 'not in the word list'],
      ['secretword is not a phrase but a text of as many words', 'not made of'],
      ['drive bottom obey lake curtain smoke basket hold race lonely fit walk', 'checksum'],
      ['drive bottom', 'not 2'],
      ['0x1234', '64 hexadecimal digits'],
    ] as const) {
      const fault = await accountOfSuri(bad).catch((error: unknown) => error);
      expect(String(fault)).toContain(why);
      if (!bad.startsWith('botom')) expect(String(fault)).not.toContain('secretword');
      expect(String(fault)).not.toContain('lonely');
    }
  });
});
