import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { keyGenerate, keyInspect } from './inspect.ts';
import { runKey } from './key.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabnode-key-'));
afterAll(() => rmSync(folder, { recursive: true }));

const inspect = async (...argv: readonly string[]): Promise<string> =>
  (await runKey(keyInspect, argv)).stdout;
type Shown = { readonly publicKey: string; readonly ss58Address: string; readonly secretSeed: string };
const inspectJson = async (...argv: readonly string[]): Promise<Shown> =>
  JSON.parse(await inspect(...argv, '--json'));

const phrase = 'caution juice atom organ advance problem want pledge someone senior holiday very';
const alice = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
const aliceKey = '0xd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d';

/** Printed by `key inspect` of a polkadot-sdk node (2609.2.0) for the same arguments. */
describe('as the SDK prints it', () => {
  it('a phrase', async () => {
    expect(await inspect(phrase)).toBe(`Secret phrase:       ${phrase}
  Network ID:        substrate
  Secret seed:       0xc8fa03532fb22ee1f7f6908b9c02b4e72483f0dbd66e4cd456b8f34c6230b849
  Public key (hex):  0xd6a3105d6768e956e9e5d41050ac29843f98561410d3a47f9dd5b3b227ab8746
  Account ID:        0xd6a3105d6768e956e9e5d41050ac29843f98561410d3a47f9dd5b3b227ab8746
  Public key (SS58): 5Gv8YYFu8H1btvmrJy9FjjAWfb99wrhV3uhPFoNEr918utyR
  SS58 Address:      5Gv8YYFu8H1btvmrJy9FjjAWfb99wrhV3uhPFoNEr918utyR
`);
  });

  it('a phrase in JSON', async () => {
    expect(await inspect(phrase, '--output-type', 'json')).toBe(`{
  "accountId": "0xd6a3105d6768e956e9e5d41050ac29843f98561410d3a47f9dd5b3b227ab8746",
  "networkId": "substrate",
  "publicKey": "0xd6a3105d6768e956e9e5d41050ac29843f98561410d3a47f9dd5b3b227ab8746",
  "secretPhrase": "${phrase}",
  "secretSeed": "0xc8fa03532fb22ee1f7f6908b9c02b4e72483f0dbd66e4cd456b8f34c6230b849",
  "ss58Address": "5Gv8YYFu8H1btvmrJy9FjjAWfb99wrhV3uhPFoNEr918utyR",
  "ss58PublicKey": "5Gv8YYFu8H1btvmrJy9FjjAWfb99wrhV3uhPFoNEr918utyR"
}
`);
  });

  it('a secret URI whose last step is soft, so that it has no seed', async () => {
    const text = (network: string, address: string, uri: string) => `Secret Key URI \`${uri}\` is account:
  Network ID:        ${network}
  Secret seed:       n/a
  Public key (hex):  0xd6a124e7dd6b91d4472f8bb8e598c4b56a272000c81bc3f1eecd50eb050bde47
  Account ID:        0xd6a124e7dd6b91d4472f8bb8e598c4b56a272000c81bc3f1eecd50eb050bde47
  Public key (SS58): ${address}
  SS58 Address:      ${address}
`;
    const uri = `${phrase}//hard/soft`;
    expect(await inspect(`${uri}///pw`)).toBe(
      text('substrate', '5Gv7yTomVDGmzygJuQYNpN1m27Azd4dNu4aTBuPk1bPMiKS3', `${uri}///pw`),
    );
    const polkadot = ['--password', 'pw', '-n', 'polkadot'];
    const address = '15rR7o4qLzYFSWgps3bNxWqusjAeKNBWyZJwMCP6ZgQstZyE';
    expect(await inspect(uri, ...polkadot)).toBe(text('polkadot', address, uri));
    expect(await inspect(`${uri}///other`, '--password=pw', '-n', '0')).toBe(
      text('polkadot', address, `${uri}///other`),
    );
  });

  it('a key of ecdsa, whose account is a hash', async () => {
    expect(await inspect('//Alice', '--scheme', 'Ecdsa')).toBe(`Secret Key URI \`//Alice\` is account:
  Network ID:        substrate
  Secret seed:       0xcb6df9de1efca7a3998a8ead4e02159d5fa99c3e0d4fd6432667390bb4726854
  Public key (hex):  0x020a1091341fe5664bfa1782d5e04779689068c916b04cb365ec3153755684d9a1
  Account ID:        0x01e552298e47454041ea31273b4b630c64c104e4514aa3643490b8aaca9cf8ed
  Public key (SS58): KW39r9CJjAVzmkf9zQ4YDb2hqfAVGdRqn53eRqyruqpxAP5YL
  SS58 Address:      5C7C2Z5sWbytvHpuLTvzKunnnRwQxft1jiqrLD5rhucQ5S9X
`);
  });

  it('a key of ed25519', async () => {
    expect(await inspectJson('//Alice', '--scheme=ed25519')).toEqual({
      accountId: '0x88dc3417d5058ec4b4503e0c12ea1a0a89be200fe98922423d4334014fa6b0ee',
      networkId: 'substrate',
      publicKey: '0x88dc3417d5058ec4b4503e0c12ea1a0a89be200fe98922423d4334014fa6b0ee',
      secretKeyUri: '//Alice',
      secretSeed: '0xabf8e5bdbe30c65656c0a3cbd181ff8a56294a69dfedd27982aace4a76909115',
      ss58Address: '5FA9nQDVg267DEd8m1ZypXLBnvN7SFxYwV7ndqSYGiN9TTpu',
      ss58PublicKey: '5FA9nQDVg267DEd8m1ZypXLBnvN7SFxYwV7ndqSYGiN9TTpu',
    });
  });

  it('an address, and the same of another network', async () => {
    expect(await inspect(alice)).toBe(`Public Key URI \`${alice}\` is account:
  Network ID/Version: substrate
  Public key (hex):   ${aliceKey}
  Account ID:         ${aliceKey}
  Public key (SS58):  ${alice}
  SS58 Address:       ${alice}
`);
    expect(await inspectJson(alice, '--network', 'KUSAMA')).toEqual({
      accountId: aliceKey,
      networkId: 'kusama',
      publicKey: aliceKey,
      publicKeyUri: alice,
      ss58Address: 'HNZata7iMYWmk5RvZRTiAsSDhV8366zq2YGb3tLH5Upf74F',
      ss58PublicKey: 'HNZata7iMYWmk5RvZRTiAsSDhV8366zq2YGb3tLH5Upf74F',
    });
  });

  it('a public key', async () => {
    expect(await inspect('--public', aliceKey.slice(2))).toBe(`Network ID/Version: substrate
  Public key (hex):   ${aliceKey}
  Account ID:         ${aliceKey}
  Public key (SS58):  ${alice}
  SS58 Address:       ${alice}
`);
  });
});

/** From the README of subkey (polkadot-sdk, substrate/bin/utils/subkey). */
describe("subkey's published keys", () => {
  it.each([
    [
      'hotel forest jar hover kite book view eight stuff angle legend defense',
      [],
      '0xa05c75731970cc7868a2fb7cb577353cd5b31f62dccced92c441acd8fee0c92d',
      '5Hpm9fq3W3dQgwWpAwDS2ZHKAdnk86QRCu7iX4GnmDxycrte',
    ],
    [
      'soup lyrics media market way crouch elevator put moon useful question wide',
      ['--password', 'extra_secret'],
      '0xe7cfd179d6537a676cb94bac3b5c5c9cb1550e846ac4541040d077dfbac2e7fd',
      '5He5pZpc7AJ8evPuab37vJF6KkFDqq9uDq2WXh877Qw6iaVC',
    ],
    [
      '0x8c9a73097f235b84021a446bc2826a00c690ea0be3e0d81a84931cb4146d6691',
      ['--network', 'polkadot'],
      '0x8c9a73097f235b84021a446bc2826a00c690ea0be3e0d81a84931cb4146d6691',
      '1bobYxBPjZWRPbVo35aSwci1u5Zmq8P6J2jpa4kkudBZMqE',
    ],
  ])('%s', async (uri, flags, secretSeed, ss58Address) => {
    expect(await inspectJson(uri, ...flags)).toMatchObject({ secretSeed, ss58Address });
  });

  it.each([
    ['polkadot', '16m4J167Mptt8UXL8aGSAi7U2FnPpPxZHPrCgMG9KJzVoFqM'],
    ['kusama', 'JLNozAv8QeLSbLFwe2UvWeKKE4yvmDbfGxTuiYkF2BUMx4M'],
  ])('an address of %s', async (network, ss58Address) => {
    const seed = '0xa05c75731970cc7868a2fb7cb577353cd5b31f62dccced92c441acd8fee0c92d';
    expect(await inspectJson(seed, '-n', network)).toMatchObject({ networkId: network, ss58Address });
  });
});

it('every secret seed leads to the same key', async () => {
  for (const uri of ['//Alice', '//Bob//stash', phrase, `${phrase}//a//1///pw`])
    for (const scheme of ['sr25519', 'ed25519', 'ecdsa']) {
      const { secretSeed, publicKey } = await inspectJson(uri, '--scheme', scheme);
      expect(await inspectJson(secretSeed, '--scheme', scheme)).toMatchObject({ publicKey });
    }
});

it('reads the URI and the password from files and the URI from stdin', async () => {
  const [uri, password] = [join(folder, 'uri'), join(folder, 'password')];
  writeFileSync(uri, `${phrase}//hard/soft\n`);
  writeFileSync(password, 'pw\r\n');
  const wanted = '0xd6a124e7dd6b91d4472f8bb8e598c4b56a272000c81bc3f1eecd50eb050bde47';
  expect((await inspectJson(uri, '--password-filename', password)).publicKey).toBe(wanted);
  const { stdout } = await runKey(keyInspect, ['--json', '--password', 'pw'], `${phrase}//hard/soft\n`);
  expect(JSON.parse(stdout).publicKey).toBe(wanted);
});

describe('--expect-public', () => {
  const words = 'remember fiber forum demise paper uniform squirrel feel access exclude casual effort';
  it('compares the key before its derivation, with its password', async () => {
    const plain = await inspectJson(words);
    const locked = await inspectJson(`${words}///test12245`);
    for (const found of [plain.publicKey, plain.ss58Address])
      await inspect('--expect-public', found, `${words}//test`);
    for (const found of [locked.publicKey, locked.ss58Address])
      await inspect('--expect-public', found, `${words}//test//account///test12245`);
    await expect(inspect('--expect-public', plain.publicKey, `${words}///test12245`)).rejects.toThrow(
      `Expected public (${plain.publicKey}) key does not match.`,
    );
  });

  it('is refused as the SDK refuses it', async () => {
    await expect(inspect('--expect-public', aliceKey, '//Alice')).rejects.toMatchObject({
      code: 'BadKey',
      message: `Expected public (${aliceKey}) key does not match.`,
    });
  });

  it('takes the account of an ecdsa key', async () => {
    const { ss58Address } = await inspectJson(words, '--scheme', 'ecdsa');
    await inspect('--expect-public', ss58Address, words, '--scheme', 'ecdsa');
  });
});

describe('key generate', () => {
  it.each([undefined, 12, 15, 18, 21, 24])('%s words', async (count) => {
    const flags = count === undefined ? [] : ['--words', String(count)];
    const { stdout } = await runKey(keyGenerate, [...flags, '--output-type=json', '--scheme=ed25519']);
    const made = JSON.parse(stdout);
    expect(made.secretPhrase.split(' ')).toHaveLength(count ?? 12);
    expect(await inspectJson(made.secretPhrase, '--scheme=ed25519')).toEqual(made);
  });

  it('takes a password', async () => {
    const { stdout } = await runKey(keyGenerate, ['--json', '--password', 'pw']);
    const made = JSON.parse(stdout);
    expect((await inspectJson(`${made.secretPhrase}///pw`)).publicKey).toBe(made.publicKey);
    expect((await inspectJson(made.secretPhrase)).publicKey).not.toBe(made.publicKey);
  });
});

describe('refused', () => {
  it.each([
    [['no such phrase'], 'BadKey', 'not 3'],
    [['//Alice/soft', '--scheme', 'ed25519'], 'BadKey', 'Invalid phrase/URI given'],
    [['5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQX'], 'BadKey', 'Invalid phrase/URI given'],
    [['--public', 'zz'], 'BadHex', 'The public key is not hexadecimal'],
    [['--public', '0x1234'], 'BadKey', 'A public key of sr25519 has 32 bytes'],
    [['--public', aliceKey, '--expect-public', aliceKey], 'BadConfig', 'cannot be combined'],
    [['//Alice', '//Bob'], 'BadConfig', 'one URI'],
    [['//Alice', '--scheme', 'rsa'], 'BadConfig', 'sr25519, ed25519, ecdsa'],
    [['//Alice', '--network', 'nowhere'], 'BadConfig', 'SS58 registry'],
    [['//Alice', '--network', '16384'], 'BadConfig', 'SS58 registry'],
    [['//Alice', '--output-type', 'xml'], 'BadConfig', 'text or json'],
    [['//Alice', '--password', 'a', '--password-filename', 'b'], 'BadConfig', 'cannot be combined'],
    [['//Alice', '--password-interactive'], 'BadConfig', 'needs a terminal'],
    [['//Alice', '--password-filename', '/no/such/file'], 'BadConfig', 'cannot be read'],
    [['//Alice', '--expect-public', 'nobody'], 'BadKey', 'Invalid expected account id'],
    [[alice, '--expect-public', aliceKey], 'BadKey', 'needs a secret URI'],
  ])('%j', async (argv, code, text) => {
    await expect(inspect(...argv)).rejects.toMatchObject({ code, message: expect.stringContaining(text) });
  });

  it('a number of words that BIP-39 does not have', async () => {
    await expect(runKey(keyGenerate, ['-w', '13'])).rejects.toMatchObject({ code: 'BadConfig' });
  });
});

describe('files', () => {
  const write = (name: string, data: string | Uint8Array): string => {
    const path = join(folder, name);
    writeFileSync(path, data);
    return path;
  };
  it.each<[string, () => readonly string[], string, string]>([
    ['an empty URI', () => [write('empty', '\n')], 'BadKey', 'The file of the URI is empty'],
    [
      'a URI that is no text',
      () => [write('odd', Uint8Array.of(0x2f, 0xff))],
      'BadConfig',
      'is not UTF-8 text',
    ],
    [
      'a password that is no text',
      () => ['//Alice', '--password-filename', write('odd', Uint8Array.of(0x70, 0xff))],
      'BadConfig',
      'The file of the password is not UTF-8 text',
    ],
  ])('with %s are refused', async (_what, argv, code, text) => {
    await expect(inspect(...argv())).rejects.toMatchObject({ code, message: expect.stringContaining(text) });
  });

  it('an empty stdin is refused: nothing would be the public development phrase', async () => {
    await expect(runKey(keyInspect, [], '\n')).rejects.toMatchObject({
      code: 'BadKey',
      message: 'The URI on stdin is empty',
    });
  });

  it('that are missing are URIs, as for the SDK, which is said', async () => {
    const { stdout, stderr } = await runKey(keyInspect, [join(folder, 'missing')]);
    expect(stdout).toContain('Secret seed:       n/a');
    expect(stderr).toContain('it is read as a path of the public development phrase');
    expect((await runKey(keyInspect, ['/soft'])).stderr).toBe('');
    expect((await runKey(keyInspect, ['//Alice/soft'])).stderr).toBe('');
  });
});
