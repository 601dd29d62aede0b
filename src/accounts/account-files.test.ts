import { Keyring } from '@polkadot/keyring';
import type { KeyringPair$Json } from '@polkadot/keyring/types';
import { stringToU8a, u8aConcat, u8aToHex } from '@polkadot/util';
import {
  cryptoWaitReady,
  jsonDecrypt,
  jsonEncrypt,
  jsonEncryptFormat,
  naclEncrypt,
  scryptEncode,
  scryptToU8a,
  signatureVerify,
} from '@polkadot/util-crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { readAccountFile } from './account-file.ts';
import { openAccountFile } from './open-account.ts';
import { accountIdOf, keyTypes, signMessage } from './pair.ts';
import { saveAccount, saveBatch } from './save-account.ts';
import { pairOfUri } from './uri-pair.ts';

beforeAll(async () => {
  await cryptoWaitReady();
});

const password = 'pässword 1';
const message = new Uint8Array(50).fill(9);
const phrase = 'bottom drive obey lake curtain smoke basket hold race lonely fit walk';
const uris = {
  sr25519: '//Alice/soft',
  ed25519: '//Alice',
  ecdsa: '//Alice',
  ethereum: `${phrase}/m/44'/60'/0'/0/0`,
} as const;

const theirs = (type: (typeof keyTypes)[number]) => {
  const keyring = new Keyring({ type });
  return keyring.addFromUri(uris[type], { name: 'Mine', genesisHash: `0x${'ab'.repeat(32)}` as const });
};

describe.each(keyTypes)('a JSON account of %s', (type) => {
  it('from polkadot-js is opened here, with its key', async () => {
    const pair = theirs(type);
    const { opened } = await openAccountFile(JSON.stringify(pair.toJson(password)), password);
    expect(opened).toHaveLength(1);
    const [{ file, pair: own } = {} as never] = opened;
    expect(file).toMatchObject({ type, name: 'Mine', genesisHash: `0x${'ab'.repeat(32)}` });
    expect(own.publicKey).toEqual(pair.publicKey);
    expect(u8aToHex(accountIdOf(own))).toBe(u8aToHex(pair.addressRaw));
    const signature = signMessage(own, message);
    expect(pair.verify(message, signature, pair.type === 'ethereum' ? pair.publicKey : own.publicKey)).toBe(
      true,
    );
  });

  it('saved here is opened by polkadot-js', async () => {
    const own = await pairOfUri(uris[type], type);
    const text = saveAccount(own, { name: 'Ours' }, password);
    const keyring = new Keyring({ type });
    const opened = keyring.addFromJson(JSON.parse(text) as KeyringPair$Json);
    expect(opened.meta).toMatchObject({ name: 'Ours' });
    opened.unlock(password);
    expect(opened.isLocked).toBe(false);
    expect(opened.address).toBe(theirs(type).address);
    const signature = opened.sign(message);
    const { isValid, crypto } = signatureVerify(message, signature, opened.address);
    expect({ isValid, crypto }).toEqual({ isValid: true, crypto: type });
  });
});

describe('files of several accounts', () => {
  /** As `backupAccounts` of the extension's keyring. */
  const backup = (accounts: readonly KeyringPair$Json[], secret: string) => ({
    ...jsonEncrypt(stringToU8a(JSON.stringify(accounts)), ['batch-pkcs8'], secret),
    accounts: accounts.map(({ address, meta }) => ({ address, meta })),
  });

  it('are opened here, accounts with another password apart', async () => {
    const accounts = (['sr25519', 'ecdsa'] as const).map((type) =>
      theirs(type).toJson(type === 'ecdsa' ? 'another' : password),
    );
    const seen: number[] = [];
    const text = JSON.stringify(backup(accounts, password));
    const { opened, locked } = await openAccountFile(text, password, (done) => void seen.push(done));
    expect(opened.map(({ pair }) => pair.type)).toEqual(['sr25519']);
    expect(locked.map(({ type }) => type)).toEqual(['ecdsa']);
    expect((await openAccountFile(locked[0]?.text ?? '', 'another')).opened).toHaveLength(1);
    expect(seen).toEqual([1, 2]);
  });

  it('saved here are opened as the extension opens them', async () => {
    const types = ['sr25519', 'ethereum'] as const;
    const pairs = await Promise.all(types.map((type) => pairOfUri(uris[type], type)));
    const text = saveBatch(
      pairs.map((pair) => ({ pair, meta: { name: pair.type } })),
      password,
    );
    const json = JSON.parse(text) as Parameters<typeof jsonDecrypt>[0];
    const list = JSON.parse(new TextDecoder().decode(jsonDecrypt(json, password))) as KeyringPair$Json[];
    const keyring = new Keyring();
    const addresses = list.map((one) => {
      const pair = keyring.addFromJson(one);
      pair.unlock(password);
      return pair.address;
    });
    expect(addresses).toEqual(types.map((type) => theirs(type).address));
  });
});

describe('versions before 3', () => {
  const header = [48, 83, 2, 1, 1, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32];
  const divider = [161, 35, 3, 33, 0];
  /** Without scrypt: the password itself, cut or filled up to 32 bytes, is the key. */
  const write = (version: string, content: string | string[], secret: Uint8Array, publicKey: Uint8Array) => {
    const key = new Uint8Array(32);
    key.set(stringToU8a(password).subarray(0, 32));
    const plain = Uint8Array.from([...header, ...secret, ...divider, ...publicKey]);
    const { encrypted, nonce } = naclEncrypt(plain, key);
    return {
      address: new Keyring().encodeAddress(publicKey),
      encoded: u8aToHex(u8aConcat(nonce, encrypted)),
      encoding: { content, type: 'xsalsa20-poly1305', version },
      meta: { name: 'old' },
    };
  };
  it.each([
    ['0', 'pkcs8', 'ed25519', 32],
    ['0', 'pkcs8', 'sr25519', 32],
    ['1', ['pkcs8', 'ed25519'], 'ed25519', 32],
    ['1', ['pkcs8', 'sr25519'], 'sr25519', 32],
    ['2', ['pkcs8', 'ed25519'], 'ed25519', 64],
    ['2', ['pkcs8', 'sr25519'], 'sr25519', 64],
  ] as const)('%s, %j, keys of %s, a secret of %i bytes', async (version, content, type, length) => {
    const seed = `0x${'07'.repeat(32)}`;
    const pair = await pairOfUri(seed, type);
    const secret = length === 32 ? new Uint8Array(32).fill(7) : pair.secret;
    const json = write(version, typeof content === 'string' ? content : [...content], secret, pair.publicKey);
    expect((await openAccountFile(JSON.stringify(json), password)).opened[0]?.pair).toEqual(pair);
    const keyring = new Keyring({ type });
    const read = keyring.addFromJson(json as unknown as KeyringPair$Json);
    read.unlock(password);
    expect(read.isLocked).toBe(false);
  });

  it('an account that is not encrypted', async () => {
    const json = theirs('sr25519').toJson();
    expect((await openAccountFile(JSON.stringify(json), '')).opened[0]?.pair.type).toBe('sr25519');
  });
});

it('a salt whose base 64 begins as hexadecimal does', async () => {
  const json = theirs('sr25519').toJson();
  const { params, password: key, salt } = scryptEncode(password, new Uint8Array(32).fill(0x1d).with(0, 0xd3));
  const plain = Uint8Array.from(atob(json.encoded), (letter) => letter.charCodeAt(0));
  const { encrypted, nonce } = naclEncrypt(plain, key.subarray(0, 32));
  const sealed = u8aConcat(scryptToU8a(salt, params), nonce, encrypted);
  const encrypt = { ...json, ...jsonEncryptFormat(sealed, ['pkcs8', 'sr25519'], true) };
  expect(encrypt.encoded.slice(0, 2)).toBe('0x');
  expect((await openAccountFile(JSON.stringify(encrypt), password)).opened[0]?.pair.type).toBe('sr25519');
});

describe('what cannot be opened', () => {
  // Encrypted once, because each scrypt takes half a second.
  let made: KeyringPair$Json;
  beforeAll(() => {
    made = theirs('sr25519').toJson(password);
  });
  const json = () => structuredClone(made) as unknown as Record<string, unknown>;
  const encodedWith = (change: (bytes: Uint8Array) => Uint8Array) => {
    const account = json();
    const bytes = Uint8Array.from(atob(String(account['encoded'])), (letter) => letter.charCodeAt(0));
    return { ...account, encoded: btoa(String.fromCharCode(...change(bytes))) };
  };
  const encoding = (change: Record<string, unknown>) => ({
    ...json(),
    encoding: { ...(json()['encoding'] as object), ...change },
  });
  const flip = (at: number) => (bytes: Uint8Array) => bytes.with(at, (bytes[at] ?? 0) ^ 1);
  const other = new Keyring().encodeAddress(new Uint8Array(32).fill(1));
  it.each<[string, () => unknown, string, string]>([
    ['a flipped byte', () => encodedWith(flip(150)), 'WrongPassword', 'does not open'],
    [
      'a piece that is missing',
      () => encodedWith((bytes) => bytes.slice(0, -30)),
      'BadAccountFile',
      'length',
    ],
    ['other scrypt parameters', () => encodedWith(flip(34)), 'BadAccountFile', 'scrypt parameters'],
    ['another address', () => ({ ...json(), address: other }), 'BadAccountFile', 'another account'],
    [
      'a damaged address',
      () => ({ ...json(), address: String(json()['address']).slice(1) }),
      'BadAccountFile',
      'its address',
    ],
    ['another type', () => encoding({ content: ['pkcs8', 'ed25519'] }), 'BadAccountFile', 'does not belong'],
    ['a foreign type', () => encoding({ content: ['pkcs8', 'bls'] }), 'BadAccountFile', 'known are'],
    ['a foreign cipher', () => encoding({ type: ['aes'] }), 'BadAccountFile', 'encrypted in a way'],
    ['a version to come', () => encoding({ version: '4' }), 'BadAccountFile', 'version'],
    ['no base 64', () => ({ ...json(), encoded: '%%%' }), 'BadAccountFile', 'base 64'],
    ['no encrypted part', () => ({ ...json(), encoded: '' }), 'BadAccountFile', 'length'],
    ['a long encrypted part', () => ({ ...json(), encoded: 'A'.repeat(3000) }), 'BadAccountFile', 'too long'],
    ['other JSON', () => ({ id: 'dev', genesis: {} }), 'BadAccountFile', 'not an exported account'],
    ['a list', () => [json()], 'BadAccountFile', 'not an exported account'],
    ['text', () => 'an account', 'BadAccountFile', 'not an exported account'],
  ])('%s', async (_what, make, code, text) => {
    await expect(openAccountFile(JSON.stringify(make()), password)).rejects.toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(text) }),
    );
  });

  it.each<[string, string, string, string]>([
    ['a wrong password', 'wrong', 'WrongPassword', 'does not open'],
    ['no password', '', 'WrongPassword', 'Enter the password'],
    ['a password of 1 MB', 'x'.repeat(1_000_000), 'WrongPassword', 'does not open'],
  ])('%s', async (_what, given, code, text) => {
    await expect(openAccountFile(JSON.stringify(json()), given)).rejects.toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(text) }),
    );
  });

  it('every text that ends too early', () => {
    const text = JSON.stringify(json());
    for (let length = 0; length < text.length; length += 7)
      expect(() => readAccountFile(text.slice(0, length))).toThrow(
        expect.objectContaining({ code: 'BadAccountFile' }),
      );
  });

  it('50 MB', async () => {
    await expect(openAccountFile('x'.repeat(50_000_000), password)).rejects.toThrow(
      expect.objectContaining({ code: 'LimitReached', message: expect.stringContaining('50 MB') }),
    );
  });
});
