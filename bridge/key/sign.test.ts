import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keyring } from '@polkadot/keyring';
import { signatureVerify } from '@polkadot/util-crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { runKey } from './key.fixture.ts';
import { keySign, keyVerify } from './sign.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabnode-sign-'));
afterAll(() => rmSync(folder, { recursive: true }));

const alice = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
const valid = 'Signature verifies correctly.\n';
const sign = async (argv: readonly string[], stdin?: string): Promise<string> =>
  (await runKey(keySign, argv, stdin)).stdout.trim();
const verify = async (argv: readonly string[], stdin?: string): Promise<string> =>
  (await runKey(keyVerify, argv, stdin)).stdout;

/** Of the tests of `verify` and the README of subkey in polkadot-sdk. */
describe("the SDK's published signatures", () => {
  const text =
    '0x4eb25a2285a82374888880af0024eb30c3a21ce086eae3862888d345af607f0ad6fb081312f11730932564f24a9f8ebcee2d46861413ae61307eca58db2c3e81';
  const bytes =
    '0x026342225155056ea797118c1c8c8b3cc002aa2020c36f4217fa3c302783a572ad3dcd38c231cbaf86cadb93984d329c963ceac0685cc1ee4c1ed50fa443a68f';
  const readme =
    '9201af3788ad4f986b800853c79da47155f2e08fde2070d866be4c27ab060466fea0623dc2b51f4392f4c61f25381a62848dd66c5d8217fae3858e469ebd668c';

  it.each<[readonly string[], string?]>([
    [[text, alice, '--message', 'test message']],
    [[text, alice], 'test message'],
    [[bytes, alice, '--message', '0xaabbcc', '--hex']],
    [[bytes, alice, '--hex'], '0xaabbcc'],
    [[bytes, alice, '--hex'], 'aabbcc\n'],
    [[bytes, alice, '--hex'], '0xaABBcC'],
    [[text, '//Alice'], 'test message'],
    [[readme, '0xfec70cfbf1977c6965b5af10a4534a6a35d548eb14580594d0bc543286892515'], 'hello'],
  ])('%j', async (argv, stdin) => {
    expect(await verify(argv, stdin)).toBe(valid);
  });

  it.each<[readonly string[], string?]>([
    [[text, alice], 'test message\n'],
    [[bytes, alice], 'aabbcc'],
    [[text, '//Bob'], 'test message'],
    [[text.slice(0, -2), alice], 'test message'],
  ])('refused: %j', async (argv, stdin) => {
    await expect(verify(argv, stdin)).rejects.toMatchObject({ code: 'BadSignature' });
  });
});

describe.each(['sr25519', 'ed25519', 'ecdsa'])('%s', (scheme) => {
  it('a signature is verified by its key, message and scheme only', async () => {
    const flags = ['--scheme', scheme];
    const signature = await sign(['--suri', '//Alice', '--password', 'pw', ...flags], 'hello');
    expect(signature).toMatch(scheme === 'ecdsa' ? /^0x[0-9a-f]{130}$/ : /^0x[0-9a-f]{128}$/);
    expect(await verify([signature, '//Alice///pw', ...flags], 'hello')).toBe(valid);
    expect(await verify([signature, '//Alice///pw', ...flags, '--json'], 'hello')).toBe(
      '{"verified":true}\n',
    );
    for (const [uri, message] of [
      ['//Alice', 'hello'],
      ['//Alice///pw', 'hullo'],
    ] as const)
      await expect(verify([signature, uri, ...flags], message)).rejects.toMatchObject({
        code: 'BadSignature',
      });
  });
});

describe('ethereum', () => {
  const flags = ['--scheme', 'ethereum', '--message', 'hello'];
  const phrase = 'bottom drive obey lake curtain smoke basket hold race lonely fit walk';
  const uri = `${phrase}/m/44'/60'/0'/0/0`;
  const pair = new Keyring({ type: 'ethereum' }).addFromUri(uri);
  const publicKey = `0x${Buffer.from(pair.publicKey).toString('hex')}`;

  it.each([
    ['its address', pair.address],
    ['its address without prefix and checksum', pair.address.slice(2).toLowerCase()],
    ['its public key', publicKey],
    ['its phrase', uri],
  ])('signatures of polkadot-js and our own are verified by %s', async (_name, verifier) => {
    const ours = await sign(['--suri', uri, ...flags]);
    const theirs = `0x${Buffer.from(pair.sign('hello')).toString('hex')}`;
    expect(ours).toBe(theirs);
    expect(signatureVerify('hello', ours, pair.address).isValid).toBe(true);
    expect(await verify([ours, verifier, ...flags])).toBe(valid);
  });

  it('a private key signs, and the last byte may be 27 or 28, as a runtime takes it', async () => {
    const secret = `0x${'42'.repeat(32)}`;
    const signature = await sign(['--suri', secret, ...flags]);
    expect(await verify([signature, secret, ...flags])).toBe(valid);
    const v = Number.parseInt(signature.slice(-2), 16) + 27;
    expect(await verify([signature.slice(0, -2) + v.toString(16), secret, ...flags])).toBe(valid);
  });

  it.each([
    ['another message', [pair.address, '--scheme', 'ethereum', '--message', 'hullo'], 'BadSignature', ''],
    ['another key', ['0x0000000000000000000000000000000000000001', ...flags], 'BadSignature', ''],
    ['a public key that is none', [`0x02${'ff'.repeat(32)}`, ...flags], 'BadKey', 'no point'],
    ['a password', [`${uri}///pw`, ...flags], 'BadKey', 'no password'],
  ])('%s is refused', async (_name, argv, code, text) => {
    const signature = await sign(['--suri', uri, ...flags]);
    await expect(verify([signature, ...argv])).rejects.toMatchObject({
      code,
      message: expect.stringContaining(text),
    });
  });

  it.each([
    ['64 bytes', '00'.repeat(64)],
    ['an impossible last byte', `${'11'.repeat(64)}07`],
    ['zeros', '00'.repeat(65)],
  ])('%s are no signature', async (_name, signature) => {
    await expect(verify([signature, pair.address, ...flags])).rejects.toMatchObject({ code: 'BadSignature' });
  });
});

it('an ecdsa signature is valid with its own recovery byte only', async () => {
  const flags = ['--scheme', 'ecdsa'];
  const signature = await sign(['--suri', '//Alice', ...flags], 'hello');
  const own = Number.parseInt(signature.slice(-2), 16);
  for (const other of [own + 27, own + 2, own ^ 1]) {
    const changed = signature.slice(0, -2) + other.toString(16).padStart(2, '0');
    await expect(verify([changed, '//Alice', ...flags], 'hello')).rejects.toMatchObject({
      code: 'BadSignature',
    });
  }
  expect(await verify([signature, '//Alice', ...flags], 'hello')).toBe(valid);
});

it('ed25519 and ecdsa signatures are always the same', async () => {
  const argv = ['--suri', '//Alice', '--message', 'hello', '--scheme'];
  for (const scheme of ['ed25519', 'ecdsa'])
    expect(await sign([...argv, scheme])).toBe(await sign([...argv, scheme]));
});

it('reads message and secret from files, and the secret from stdin', async () => {
  const [message, uri] = [join(folder, 'message'), join(folder, 'uri')];
  writeFileSync(message, new Uint8Array([0, 255, 10]));
  writeFileSync(uri, '//Alice\n');
  const wanted = await sign(['--suri', '//Alice', '--message', '00ff0a', '--hex', '--scheme', 'ed25519']);
  const argv = ['--file', message, '--scheme', 'ed25519'];
  expect(await sign(['--suri', uri, ...argv])).toBe(wanted);
  expect(await sign(argv, '//Alice\n')).toBe(wanted);
});

it.each<[typeof keySign, readonly string[], string, string]>([
  [keySign, ['//Alice'], 'BadConfig', 'takes no arguments'],
  [keySign, ['--suri', 'x', '--message', ''], 'BadKey', 'Invalid phrase/URI'],
  [keySign, ['--suri', '//Alice', '--message', 'x', '--hex'], 'BadHex', 'The message'],
  [keySign, ['--suri', '//Alice', '--message', 'abc', '--hex'], 'BadHex', 'The message'],
  [keySign, ['--suri', '//Alice', '--message', 'x', '--file', 'y'], 'BadConfig', 'combined'],
  [keySign, ['--suri', '//Alice', '--file', '/no/such/file'], 'BadConfig', 'cannot be read'],
  [keyVerify, [], 'BadConfig', 'a SIGNATURE and a URI'],
  [keyVerify, ['xyz', alice], 'BadHex', 'The signature'],
  [keyVerify, ['00'.repeat(64), '00'.repeat(31)], 'BadKey', '32 bytes'],
  [keyVerify, ['00'.repeat(65), 'nobody', '--scheme', 'ecdsa'], 'BadKey', 'Invalid phrase/URI'],
])('refused: %o %j', async (run, argv, code, text) => {
  await expect(runKey(run, argv, 'message')).rejects.toMatchObject({
    code,
    message: expect.stringContaining(text),
  });
});
