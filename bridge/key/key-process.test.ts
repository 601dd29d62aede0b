import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { hexToBytes } from '../../worker/bytes/hex.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import { peerIdEncode } from '../../worker/crypto/peer-id.ts';
import { callHttp } from '../clients/test-clients.fixture.ts';
import { type Ended, runProcess, startServe } from '../clients/test-process.fixture.ts';
import { runKey } from './key.fixture.ts';
import { keyInspectNodeKey } from './node-key.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabnode-key-process-'));
afterAll(() => rmSync(folder, { recursive: true }));
const { suriToPair } = await loadCrypto();

const key = (...args: readonly string[]): Promise<Ended> => runProcess('key', ...args);
const peerIdOf = (seed: string): string => peerIdEncode(suriToPair(`0x${seed}`, 'ed25519').publicKey);

describe('key generate-node-key', () => {
  it('the secret on stdout, the peer id on stderr', async () => {
    const { code, stdout, stderr } = await key('generate-node-key');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(stderr).toBe(`${peerIdOf(stdout)}\n`);
  });

  it('into a file of its owner, which is replaced only with --yes', async () => {
    const file = join(folder, 'node-key');
    const made = await key('generate-node-key', '--file', file, '--json');
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const first = readFileSync(file, 'utf8');
    expect(JSON.parse(made.stdout)).toEqual({ peerId: peerIdOf(first), file });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const again = await key('generate-node-key', '--file', file);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('pass --yes') });
    expect(readFileSync(file, 'utf8')).toBe(first);
    expect((await key('generate-node-key', '--file', file, '--yes', '--bin')).code).toBe(0);
    expect(readFileSync(file)).toHaveLength(32);
  });

  it('into the base path, where a native node looks', async () => {
    const made = await key('generate-node-key', '--base-path', folder, '--json');
    const file = join(folder, 'chains/development/network/secret_ed25519');
    expect(JSON.parse(made.stdout)).toEqual({ peerId: peerIdOf(readFileSync(file, 'utf8')), file });
    expect((await key('generate-node-key', '--base-path', folder)).code).toBe(1);
  });

  it.each([
    [['--file', 'x', '--base-path', 'y'], 'cannot be combined'],
    [['--bin', '--json'], 'cannot be combined'],
    [['--file', '/proc/no/such'], 'cannot be written'],
  ])('refuses %j', async (args, text) => {
    const ended = await key('generate-node-key', ...args);
    expect(ended).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(text) });
  });
});

describe('key inspect-node-key', () => {
  // Printed by `key inspect-node-key` of a polkadot-sdk node (2609.2.0).
  const secret = '77defd7617356449730f67c3fd117795cea254b5aa3d659aab0e2780067c2248';
  const peerId = '12D3KooWNfJdUJPgA9x7KAWCNmSf97VPjbgdengmix6AMHCx265g';
  const inspect = async (argv: readonly string[], stdin?: string): Promise<string> =>
    (await runKey(keyInspectNodeKey, argv, stdin)).stdout;

  it('the peer id of a native key, from stdin and from files', async () => {
    expect(await inspect([], `${secret}\n`)).toBe(`${peerId}\n`);
    const file = join(folder, 'native-key');
    writeFileSync(file, secret);
    expect(await inspect(['--file', file, '--json'])).toBe(`${JSON.stringify({ peerId })}\n`);
    writeFileSync(file, hexToBytes(secret));
    expect(await inspect(['--file', file, '--bin'])).toBe(`${peerId}\n`);
  });

  it.each([
    [[], 'topsecret', 'BadHex'],
    [[], secret.slice(2), 'BadKey'],
    [['--bin'], secret, 'BadKey'],
    [['topsecret'], '', 'BadConfig'],
    [['--file', '/no/such/file'], '', 'BadConfig'],
  ])('refuses %j with %j on stdin', async (argv, stdin, code) => {
    const message = expect.not.stringContaining('secret');
    await expect(inspect(argv, stdin)).rejects.toMatchObject({ code, message });
  });
});

it('key insert: a node on the same chain has the key and signs with it', async () => {
  const base = join(folder, 'inserted');
  const uri = join(folder, 'uri');
  writeFileSync(uri, '//Bob\n');
  const insert = (...args: readonly string[]): Promise<Ended> =>
    key('insert', '--base-path', base, '--key-type', 'gran', '--scheme', 'ed25519', '--json', ...args);
  const publicKey = '0xd17c2d7823ebf260fd138f2d7e27d114c0145d968b5ff5006125f2414fadae69';
  const made = await insert('--suri', uri);
  expect([made.stderr, made.stdout]).toEqual(['', `${JSON.stringify({ keyType: 'gran', publicKey })}\n`]);
  const locked = JSON.parse((await insert('--suri', '//Bob', '--password', 'pw')).stdout).publicKey;
  expect(hexToBytes(locked)).toEqual(suriToPair('//Bob///pw', 'ed25519').publicKey);

  const node = await startServe('--base-path', base, '--seal', 'manual');
  for (const one of [publicKey, locked])
    expect(await callHttp(node.ready.http, 'author_hasKey', [one, 'gran'])).toBe(true);
  expect(await callHttp(node.ready.http, 'author_hasKey', [publicKey, 'babe'])).toBe(false);
  expect(await insert('--suri', '//Bob')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('ChainInUse'),
  });
  node.kill('SIGTERM');
  expect((await node.ended).code).toBe(0);
}, 60_000);

it.each([
  [['--suri', '//Alice'], 'needs --key-type'],
  [['--suri', '//Alice', '--key-type', 'babe'], 'needs --scheme'],
  [['--suri', '//Alice', '--key-type', 'grandpa', '--scheme', 'ed25519'], 'four characters'],
  [['--suri', '//Alice', '--key-type', 'gran', '--scheme', 'ed25519', '--tmp'], 'needs a chain on disk'],
  [['--suri', 'nobody', '--key-type', 'gran', '--scheme', 'ed25519'], 'Invalid phrase/URI'],
])('key insert %j is refused, and makes no chain', async (args, text) => {
  const base = join(folder, 'refused');
  const where = args.includes('--tmp') ? [] : ['--base-path', base];
  const ended = await key('insert', ...where, ...args);
  expect(ended).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(text) });
  expect(existsSync(base)).toBe(false);
});

/** Every place where a secret may end up by mistake. */
it.each([
  ['inspect', 'topsecret'],
  ['inspect', '//Alice', 'topsecret'],
  ['inspect', '--public', 'topsecret'],
  ['inspect', '//Alice', '--scheme', 'topsecret'],
  ['inspect', '//Alice', '--output-type', 'topsecret'],
  ['inspect', '//Alice', '--passwrod=topsecret'],
  ['inspect', 'x', '--password=topsecret'],
  ['inspect', 'caution juice atom', '--password-filename', 'topsecret'],
  ['sign', 'topsecret'],
  ['sign', '--suri', 'topsecret', '--message', 'x'],
  ['sign', '--suri', `//Alice${'topsecret'.repeat(1000)}///`, '--message', 'x', '--scheme', 'rsa'],
  ['verify', 'topsecret'],
  ['verify', '00'.repeat(64), 'topsecret', '--message', 'x'],
  ['insert', 'topsecret'],
  ['insert', '--suri', 'topsecret', '--key-type', 'babe', '--scheme', 'sr25519'],
  ['insert', '--suri', '//Alice', '--key-type', 'topsecret', '--scheme', 'sr25519'],
  ['generate', 'topsecret'],
  ['generate', '--words', 'topsecret'],
  ['generate-node-key', 'topsecret'],
  ['topsecret'],
])('no error repeats what may be a secret: key %s %s %s', async (...args) => {
  const { code, stdout, stderr } = await key(...args);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Error [A-Z]\w+: /);
  expect(stdout + stderr).not.toContain('topsecret');
});
