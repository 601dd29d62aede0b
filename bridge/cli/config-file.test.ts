import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { commands } from '../commands.ts';
import { parseServeArguments } from './arguments.ts';
import { withConfigFile } from './config-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabnode-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = join(folder, 'some.toml');
const write = (text: string, path = file): void => writeFileSync(path, text);
const configured = async (text: string, argv: readonly string[] = [], name = 'serve') => {
  write(text);
  return (await withConfigFile(name, ['--config', file, ...argv], commands)).argv;
};

it('leaves a file that is not TOML to a command with configurations of its own', async () => {
  for (const argv of [
    ['--config', 'karura.yml', '--block=5'],
    ['--config=karura.yml'],
    ['-c', 'karura.yml'],
    ['--config', 'https://a.example/karura.yml'],
  ])
    expect(await withConfigFile('fork', argv, commands)).toMatchObject({ argv, path: null });
  expect(await configured('block = 5', [], 'fork')).toEqual(['--block=5']);
  await expect(withConfigFile('serve', ['--config', 'karura.yml'], commands)).rejects.toThrow(
    'cannot be read',
  );
});

describe('settings', () => {
  it('set the flags of the same names', async () => {
    const argv = await configured(`
      ws-port = 9000
      dev = true
      validator = false
      dialect = "polkadot-sdk"
      clock = 2025-06-30T12:00:00Z
      enable-offchain-indexing = true
      offchain-http = ["https://a.example", "https://b.example"]
      tx-ban-seconds = 60
    `);
    expect(parseServeArguments(argv)).toMatchObject({
      basePath: null,
      dialect: 'polkadot-sdk',
      clock: { startMs: 1_751_284_800_000 },
      offchain: { offchainIndexing: true, offchainHttp: ['https://a.example', 'https://b.example'] },
      pool: { banSeconds: 60 },
      rpc: { ws: { port: 9000 } },
    });
  });

  it('of a section apply to its command and override top-level settings', async () => {
    const text =
      'seal = "manual"\nchain = "local_testnet"\n[serve]\nseal = "slots"\n["key sign"]\nscheme = "ecdsa"';
    expect(await configured(text)).toEqual(['--seal=slots', '--chain=local_testnet']);
    expect(await configured(text, [], 'mcp')).toEqual(['--seal=manual', '--chain=local_testnet']);
    expect(await configured(text, [], 'key sign')).toEqual(['--scheme=ecdsa']);
    expect(await configured(text, [], 'repair')).toEqual(['--chain=local_testnet']);
  });

  it('are overridden by flags, including short and repeated ones', async () => {
    const text = 'seal = "manual"\nbase-path = "x"\noffchain-http = ["https://a.example"]\ndev = true';
    const flags = ['--seal=slots', '-d', 'y', '--offchain-http', 'https://b.example'];
    expect(await configured(text, flags)).toEqual(['--dev', ...flags]);
  });

  it('do not change an argument that looks like a flag', async () => {
    expect(await configured('chain = "--dev"', ['FILE'], 'import-blocks')).toEqual(['--chain=--dev', 'FILE']);
  });
});

describe('the file', () => {
  it('is the one of --config, or else in the working folder, or else in the base path', async () => {
    const before = process.cwd();
    const [cwd, base] = [join(folder, 'cwd'), join(folder, 'base')];
    for (const made of [cwd, base]) mkdirSync(made);
    process.chdir(cwd);
    try {
      const run = (...argv: string[]) => withConfigFile('serve', ['--base-path', base, ...argv], commands);
      const rest = ['--base-path', base];
      expect(await run()).toEqual({ argv: rest, path: null });
      write('seal = "slots"', join(base, 'tabnode.toml'));
      expect(await run()).toEqual({ argv: ['--seal=slots', ...rest], path: join(base, 'tabnode.toml') });
      write('seal = "instant"', join(cwd, 'tabnode.toml'));
      expect(await run()).toEqual({ argv: ['--seal=instant', ...rest], path: 'tabnode.toml' });
      write('seal = "manual"');
      expect(await run('--config', file)).toEqual({ argv: ['--seal=manual', ...rest], path: file });
      expect((await run(`--config=${file}`)).argv).toEqual(['--seal=manual', ...rest]);
      expect((await withConfigFile('mcp', ['--http', '--config', file], commands)).argv).toEqual([
        '--seal=manual',
        '--http',
      ]);
      write('rpc-module = "x.js"', join(cwd, 'tabnode.toml'));
      await expect(run()).rejects.toThrow(
        'tabnode.toml:1: "rpc-module" gives others access, runs code or checks less: pass --config tabnode.toml if you trust the file',
      );
      expect((await run('--config', 'tabnode.toml')).argv).toEqual(['--rpc-module=x.js', ...rest]);
    } finally {
      process.chdir(before);
    }
  });

  it.each([[['--config', '/no/such/file']], [['--config', tmpdir()]], [['--config']]])(
    'is refused if it cannot be read: %j',
    async (argv) => {
      await expect(withConfigFile('serve', argv, commands)).rejects.toMatchObject({ code: 'BadConfig' });
    },
  );
});

describe('a file that is merely found', () => {
  const named = Object.entries(commands).flatMap(([name, { options }]) =>
    Object.entries(options).flatMap(([option, { by, type }]) =>
      by === 'named' ? [[name, option, type === 'boolean' ? 'true' : '"x"'] as const] : [],
    ),
  );

  it('may not set the options that give access', () => {
    expect([...new Set(named.map(([, option]) => option))].sort()).toEqual([
      'accept-first',
      'account',
      'account-password-filename',
      'allow',
      'allow-writes',
      'bootnodes',
      'force-authoring',
      'in-peers',
      'in-peers-light',
      'listen-addr',
      'max-blocks-per-request',
      'max-parallel-downloads',
      'mock-signature-host',
      'mock-signatures',
      'name',
      'network',
      'no-token',
      'node-key',
      'node-key-file',
      'offchain-http',
      'out-peers',
      'page',
      'port',
      'public-addr',
      'reserved-nodes',
      'reserved-only',
      'rpc-cors',
      'rpc-external',
      'rpc-methods',
      'rpc-module',
      'rpc-rate-limit-trust-proxy-headers',
      'rpc-rate-limit-whitelisted-ips',
      'trust-blocks',
      'unsafe-rpc-external',
      'unsafe-ws-external',
      'wasm-override',
      'ws-external',
    ]);
  });

  it.each(named)('%s: %s is refused, and accepted with --config', async (name, option, value) => {
    const base = mkdtempSync(join(folder, 'found-'));
    const path = 'tabnode.toml';
    const before = process.cwd();
    onTestFinished(() => process.chdir(before));
    process.chdir(base);
    for (const text of [`${option} = ${value}`, `["${name}"]\n${option} = ${value}`]) {
      write(text, path);
      await expect(withConfigFile(name, [], commands)).rejects.toMatchObject({
        code: 'BadConfig',
        message: expect.stringContaining(`pass --config ${path} if you trust the file`),
      });
      expect((await withConfigFile(name, ['--config', path], commands)).argv).toHaveLength(1);
    }
  });

  it('may set the others, and switch those off', async () => {
    const base = mkdtempSync(join(folder, 'found-'));
    write('rpc-external = false\nws-port = 9', join(base, 'tabnode.toml'));
    const { argv } = await withConfigFile('serve', ['--base-path', base], commands);
    expect(argv).toEqual(['--ws-port=9', '--base-path', base]);
  });
});

it.each([
  ['seal = "manual"\nprot = 1', ':2: there is no option "prot"'],
  ['\n[serve]\n\nwords = 12', ':4: serve has no option "words"'],
  ['seal = "x"\n[server]\nseal = "x"', ':2: there is no command "server"'],
  ['[mcp]\nseal = "x"\nws-port = 1\n[serve]\nws-port = 1', ':3: mcp has no option "ws-port"'],
  ['dev = "yes"', ':1: "dev" takes true or false'],
  ['seal = ["manual"]', ':1: "seal" takes a string or a number'],
  ['offchain-http = [["x"]]', ':1: "offchain-http" takes'],
  ['[repair]\nyes = true', ':2: "yes" can only be given on the command line'],
  ['config = "x"', ':1: "config" can only be given on the command line'],
  ['toString = "x"', ':1: there is no option "toString"'],
  ['\nseal = ', ':2: Invalid TOML document'],
  ['a = 1\na = 2', ':2: Invalid TOML document'],
  ['__proto__ = 1', ':1: '],
])('refuses %j', async (text, message) => {
  await expect(configured(text)).rejects.toMatchObject({
    code: 'BadConfig',
    message: expect.stringContaining(`${file}${message}`),
  });
});
