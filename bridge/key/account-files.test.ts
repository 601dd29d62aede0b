import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keyring } from '@polkadot/keyring';
import type { KeyringPair$Json } from '@polkadot/keyring/types';
import { cryptoWaitReady, signatureVerify } from '@polkadot/util-crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { callHttp } from '../clients/test-clients.fixture.ts';
import { startServe } from '../clients/test-process.fixture.ts';
import { keyExport } from './export.ts';
import { keyInsert } from './insert.ts';
import { keyGenerate, keyInspect } from './inspect.ts';
import { runKey } from './key.fixture.ts';
import { keySign, keyVerify } from './sign.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabnode-account-'));
afterAll(() => rmSync(folder, { recursive: true }));
const alice = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
const aliceId = '0xd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d';
const file = join(folder, 'theirs.json');

beforeAll(async () => {
  await cryptoWaitReady();
  const pair = new Keyring({ type: 'sr25519' }).addFromUri('//Alice', { name: 'Main' });
  writeFileSync(file, JSON.stringify(pair.toJson('pw')));
});

describe('key inspect of a JSON account', () => {
  it('shows what it proves with its password, for a network', async () => {
    const { stdout } = await runKey(keyInspect, [file, '--password', 'pw', '--network', 'polkadot']);
    expect(stdout).toBe(`JSON account \`Main\` is account:
  Account ID:        ${aliceId}
  Network ID:        polkadot
  Public key (hex):  ${aliceId}
  Scheme:            sr25519
  SS58 Address:      15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5
`);
  });

  it('shows what it says without its password', async () => {
    const { stdout } = await runKey(keyInspect, [file, '--json']);
    expect(JSON.parse(stdout)).toEqual({ address: alice, isOpen: false, name: 'Main', scheme: 'sr25519' });
  });

  it.each([
    [['--password', 'wrong'], () => file, 'WrongPassword', 'does not open'],
    [
      [],
      () => {
        const path = join(folder, 'cut.json');
        writeFileSync(path, readFileSync(file, 'utf8').slice(0, 300));
        return path;
      },
      'BadAccountFile',
      'ends too early',
    ],
    [
      [],
      () => {
        const path = join(folder, 'large.json');
        writeFileSync(path, Buffer.alloc(50_000_000, 32));
        return path;
      },
      'LimitReached',
      '50 MB',
    ],
  ])('%j is refused', async (argv, make, code, text) => {
    await expect(runKey(keyInspect, [make(), ...argv])).rejects.toMatchObject({
      code,
      message: expect.stringContaining(text),
    });
  });
});

describe('key export', () => {
  it.each(['sr25519', 'ed25519', 'ecdsa', 'ethereum'] as const)('%s, for polkadot-js', async (type) => {
    const path = join(folder, `${type}.json`);
    const seed = `0x${'42'.repeat(32)}${type === 'ethereum' ? '' : '//1'}`;
    const argv = ['--suri', seed, '--scheme', type, '--name', 'Mine', '--file', path, '--password', 'pw'];
    await runKey(keyExport, argv);
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
    const keyring = new Keyring({ type });
    const pair = keyring.addFromJson(JSON.parse(readFileSync(path, 'utf8')) as KeyringPair$Json);
    pair.unlock('pw');
    expect([pair.meta['name'], pair.address]).toEqual(['Mine', keyring.createFromUri(seed).address]);
    const { stdout } = await runKey(keySign, ['--suri', path, '--password', 'pw', '--message', 'hello']);
    expect(signatureVerify('hello', stdout.trim(), pair.address)).toMatchObject({ isValid: true });
    await runKey(keyVerify, [stdout.trim(), seed, '--scheme', type, '--message', 'hello']);
    await expect(runKey(keyExport, argv)).rejects.toMatchObject({ code: 'BadConfig' });
  });

  it.each([
    [['--suri', '//Alice'], 'needs the password'],
    [['--suri', '//Alice', '--password', 'pw', '--scheme', 'rsa'], 'ethereum'],
  ])('%j is refused', async (argv, text) => {
    await expect(runKey(keyExport, argv)).rejects.toMatchObject({
      code: 'BadConfig',
      message: expect.stringContaining(text),
    });
  });
});

describe('key insert of a JSON account', () => {
  const save = (type: 'sr25519' | 'ed25519' | 'ecdsa' | 'ethereum'): { path: string; publicKey: string } => {
    const pair = new Keyring({ type }).addFromUri(`0x${'17'.repeat(32)}`);
    const path = join(folder, `insert-${type}.json`);
    writeFileSync(path, JSON.stringify(pair.toJson('pw')));
    return { path, publicKey: `0x${Buffer.from(pair.publicKey).toString('hex')}` };
  };
  const common = ['--key-type', 'gran', '--json', '--base-path'];

  it.each(['ed25519', 'ecdsa'] as const)('%s, also as --suri: the node signs with it', async (type) => {
    const { path, publicKey } = save(type);
    const base = join(folder, `chains-${type}`);
    for (const flag of ['--file', '--suri']) {
      const { stdout } = await runKey(keyInsert, [...common, base, flag, path, '--password', 'pw']);
      expect(JSON.parse(stdout)).toEqual({ keyType: 'gran', publicKey });
    }
    const node = await startServe('--base-path', base, '--seal', 'manual');
    onTestFinished(async () => {
      node.kill('SIGTERM');
      await node.ended;
    });
    const keys = await callHttp(node.ready.http, 'dev_listKeys', []);
    expect(keys).toContainEqual({ keyType: 'gran', publicKey, scheme: type });
  });

  it.each([
    [() => ['--file', save('sr25519').path, '--password', 'pw'], 'BadKey', 'pass its phrase with --suri'],
    [() => ['--file', save('ethereum').path, '--password', 'pw'], 'BadKey', 'no keys of Ethereum'],
    [() => ['--file', save('ed25519').path, '--password', 'no'], 'WrongPassword', 'does not open'],
    [() => ['--file', save('ed25519').path], 'WrongPassword', 'pass --password-filename'],
    [
      () => ['--file', save('ed25519').path, '--scheme', 'ecdsa', '--password', 'pw'],
      'BadConfig',
      'is of ed25519',
    ],
    [() => ['--file', save('ed25519').path, '--suri', '//Alice'], 'BadConfig', 'cannot be combined'],
    [() => ['--file', '/no/such/file'], 'BadConfig', 'expected the file of a JSON account'],
    [() => ['--suri', '//Alice'], 'BadConfig', 'needs --scheme'],
  ])('%# is refused', async (make, code, text) => {
    await expect(runKey(keyInsert, [...common, folder, ...make()])).rejects.toMatchObject({
      code,
      message: expect.stringContaining(text),
    });
  });
});

it('a key of another type than the one asked for does not sign', async () => {
  const path = join(folder, 'typed.json');
  await runKey(keyExport, [
    '--suri',
    '//Alice',
    '--file',
    path,
    '--password',
    'pw',
    '--name',
    'a\u001b[2J\nb',
  ]);
  const sign = ['--suri', path, '--password', 'pw', '--message', 'hello', '--scheme'];
  await expect(runKey(keySign, [...sign, 'ed25519'])).rejects.toMatchObject({
    code: 'BadConfig',
    message: '--scheme ed25519: the key of the file is of sr25519',
  });
  await runKey(keySign, [...sign, 'sr25519']);
  // The name is not obeyed by the terminal.
  expect((await runKey(keyInspect, [path])).stdout).toContain('JSON account `a[2Jb` is encrypted');
});

describe('phrases', () => {
  it('of another word list are generated and inspected', async () => {
    const { stdout } = await runKey(keyGenerate, ['--language', 'Japanese', '-w', '24', '--json']);
    const made = JSON.parse(stdout);
    const again = await runKey(keyInspect, [made.secretPhrase, '--json']);
    expect(JSON.parse(again.stdout)).toEqual(made);
  });

  it('name the words that are mistyped', async () => {
    const text = 'bottom drvie obey lake curtain smoke basket hold race lonely fit walk//Alice';
    await expect(runKey(keyInspect, [text])).rejects.toMatchObject({
      code: 'BadKey',
      message: 'Word 2, "drvie", is not in the word list (english). Check the spelling.',
    });
  });
});
