import { Keyring } from '@polkadot/keyring';
import { cryptoWaitReady, jsonEncrypt, naclEncrypt } from '@polkadot/util-crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { NodeError } from '../protocol/errors.ts';
import { joinBytes } from '../scale/hex.ts';
import { readAccountFile } from './account-file.ts';
import { openAccountFile } from './open-account.ts';
import { keyTypes } from './pair.ts';

beforeAll(async () => {
  await cryptoWaitReady();
});

const uri = '//Mine';
const bytesOf = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const base64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));
const flip = (bytes: Uint8Array, at: number, bit: number) => bytes.with(at, (bytes[at] ?? 0) ^ (1 << bit));
const plain = (type: (typeof keyTypes)[number]) =>
  new Keyring({ type })
    .addFromUri(type === 'ethereum' ? `0x${'42'.repeat(32)}` : uri, { name: 'Mine' })
    .toJson();
const codeOf = async (json: unknown, password = ''): Promise<string> => {
  const text = typeof json === 'string' ? json : JSON.stringify(json);
  const fault: unknown = await openAccountFile(text, password).then(
    () => null,
    (error: unknown) => error,
  );
  return fault === null ? 'opened' : fault instanceof NodeError ? fault.code : String(fault);
};
/** A file of several accounts, which polkadot-js would decrypt. */
const batchOf = (text: string) => ({
  ...jsonEncrypt(new TextEncoder().encode(text), ['batch-pkcs8'], 'p'),
  accounts: [],
});

describe('a file that is not encrypted', () => {
  // The nonce of sr25519 may be any secret, and polkadot-js drops three bits of the scalar, so that nothing else depends on them.
  const free = (at: number) => at === 16 || (at >= 48 && at < 80);
  it.each(keyTypes)('of %s is refused for each bit that is damaged', async (type) => {
    const json = plain(type);
    const bytes = bytesOf(json.encoded);
    for (let at = 0; at < bytes.length; at++) {
      if (type === 'sr25519' && free(at)) continue;
      const damaged = { ...json, encoded: base64(flip(bytes, at, at % 8)) };
      expect(await codeOf(damaged), `byte ${at}`).toBe('BadAccountFile');
      // Without an address, the public key in the file is what proves the secret.
      const isKey = at < 16 || at >= 48;
      if (isKey) expect(await codeOf({ ...damaged, address: null }), `byte ${at}`).toBe('BadAccountFile');
    }
  });
});

describe('a file that is encrypted without scrypt, as before version 3', () => {
  const password = 'secret';
  const made = () => {
    const json = plain('ed25519');
    const key = new Uint8Array(32);
    key.set(new TextEncoder().encode(password));
    const { encrypted, nonce } = naclEncrypt(bytesOf(json.encoded), key);
    const encoding = { content: ['pkcs8', 'ed25519'], type: 'xsalsa20-poly1305', version: '2' };
    return { ...json, encoding, sealed: joinBytes(nonce, encrypted) };
  };
  it('is refused for each bit that is damaged, and for each end that is too early', async () => {
    const { sealed, ...json } = made();
    expect(await codeOf({ ...json, encoded: base64(sealed) }, password)).toBe('opened');
    for (let at = 0; at < sealed.length; at++) {
      const damaged = { ...json, encoded: base64(flip(sealed, at, at % 8)) };
      expect(await codeOf(damaged, password), `byte ${at}`).toBe('WrongPassword');
      const cut = { ...json, encoded: base64(sealed.slice(0, at)) };
      expect(await codeOf(cut, password), `${at} bytes`).toMatch(/^(BadAccountFile|WrongPassword)$/);
    }
  });
});

describe('the text of a file', () => {
  it('may begin with a byte order mark, which editors of Windows write', async () => {
    expect(await codeOf(`\ufeff${JSON.stringify(plain('sr25519'))}`)).toBe('opened');
  });

  it('is kept without what is not read', () => {
    const json = {
      ...plain('sr25519'),
      note: 'x'.repeat(5000),
      encoding: { ...plain('sr25519').encoding, note: 'y' },
    };
    const file = readAccountFile(JSON.stringify({ ...json, meta: { ...json.meta, note: 'z'.repeat(5000) } }));
    if (file.kind !== 'account') throw new Error(file.kind);
    expect(file.text).not.toMatch(/note|yy|zz/);
    expect(readAccountFile(file.text)).toEqual(file);
  });
});

describe('a file of several accounts', () => {
  it('that is nested 100,000 levels deep is opened or refused', async () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    expect(await codeOf(batchOf(deep), 'p')).toBe('BadAccountFile');
    const account = JSON.stringify(plain('sr25519')).replace('{', `{"more":${deep},`);
    expect(await codeOf(batchOf(`[${account}]`), 'p')).toBe('opened');
  });

  it('names the account that is refused', async () => {
    const foreign = {
      ...plain('sr25519'),
      encoding: { content: ['pkcs8', 'bls'], type: ['none'], version: '3' },
    };
    const batch = batchOf(JSON.stringify([plain('sr25519'), foreign]));
    await expect(openAccountFile(JSON.stringify(batch), 'p')).rejects.toThrow(
      expect.objectContaining({
        code: 'BadAccountFile',
        message: expect.stringMatching(/^Account 2 of 2: /),
      }),
    );
  });

  it('is not opened further when told to stop', async () => {
    const batch = batchOf(JSON.stringify([plain('sr25519'), plain('ed25519'), plain('ecdsa')]));
    const seen: number[] = [];
    const opening = openAccountFile(JSON.stringify(batch), 'p', async (done) => {
      seen.push(done);
      if (done === 2) throw new NodeError('Aborted');
    });
    await expect(opening).rejects.toMatchObject({ code: 'Aborted' });
    expect(seen).toEqual([1, 2]);
  });
});
