import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ownForkOptions, parseForkArguments } from '../cli/live-arguments.ts';
import { translateArguments } from './arguments.ts';
import { readConfigFile } from './config-file.ts';
import { readItems } from './fetch-storages.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabnode-chopsticks-'));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (text: string): string => {
  const path = join(folder, 'config.yml');
  writeFileSync(path, text);
  return path;
};
const read = (text: string): Promise<unknown> => readConfigFile(write(text));
const change = async (text: string, ...flags: readonly string[]) =>
  translateArguments(['-c', write(text), ...flags], ownForkOptions);
const parsed = async (text: string, ...flags: readonly string[]) =>
  parseForkArguments((await change(text, ...flags)).argv);

const endpoint = 'endpoint: wss://one.example';

describe('a configuration of chopsticks', () => {
  it('is YAML in which variables of the environment are filled in', async () => {
    vi.stubEnv('TABNODE_TEST_ENDPOINT', 'wss://two.example');
    onTestFinished(() => void vi.unstubAllEnvs());
    const config = await read(
      [
        `endpoint: \${env.TABNODE_TEST_ENDPOINT}`,
        `db: <%= env.TABNODE_TEST_NONE ?? './db.sqlite' %>`,
        `port: \${env['TABNODE_TEST_NONE'] || 8001}`,
        `block: \${env.TABNODE_TEST_NONE}`,
        'import-storage: &all { Sudo: { Key: 5Grw } }',
        'registered-types: { <<: *all, free: 340282366920938463463374607431768211455, hash: 0x0102030405060708090a0b0c0d0e0f }',
      ].join('\n'),
    );
    expect(config).toEqual({
      endpoint: 'wss://two.example',
      db: './db.sqlite',
      port: 8001,
      block: null,
      'import-storage': { Sudo: { Key: '5Grw' } },
      'registered-types': {
        Sudo: { Key: '5Grw' },
        free: 2n ** 128n - 1n,
        hash: '0x0102030405060708090a0b0c0d0e0f',
      },
    });
  });

  it('becomes the options of tabnode fork, with the defaults of chopsticks', async () => {
    const args = await parsed(
      `${endpoint}\nblock: 17\nbuild-block-mode: Manual\nmock-signature-host: true\ndb: ./a.sqlite\noffchain-worker: true\nruntime-log-level: 4`,
    );
    expect(args).toMatchObject({
      endpoints: ['wss://one.example'],
      block: '17',
      basePath: './a.sqlite.tabnode',
      seal: { kind: 'manual' },
      finality: { kind: 'instant' },
      dialect: 'polkadot-sdk',
      mockSignatures: true,
      offchain: { offchainWorkers: 'always' },
      rpc: { ws: { port: 8000 }, http: { port: 8000 } },
      log: { directives: 'debug,rpc=off' },
    });
    const least = await parsed('endpoint:\n  - wss://one.example\n  - wss://two.example\nblock:');
    expect(least).toMatchObject({
      endpoints: ['wss://one.example', 'wss://two.example'],
      block: 'finalized',
      basePath: null,
      seal: { kind: 'instant' },
      mockSignatures: false,
      log: null,
    });
  });

  it('yields to flags, those of chopsticks and our own', async () => {
    const text = `${endpoint}\nport: 8001\nblock: 1\nbuild-block-mode: Manual`;
    expect(
      await parsed(text, '-e', 'wss://a.example', '--endpoint', 'wss://b.example', '-p', '8002', '--block=2'),
    ).toMatchObject({
      endpoints: ['wss://a.example', 'wss://b.example'],
      block: '2',
      rpc: { ws: { port: 8002 } },
    });
    expect(
      await parsed(text, 'wss://c.example', '--ws-port', '0', '--seal', 'interval', '--finality', 'manual'),
    ).toMatchObject({
      endpoints: ['wss://c.example'],
      rpc: { ws: { port: 0 }, http: { port: 8001 } },
      seal: { kind: 'interval' },
      finality: { kind: 'manual' },
    });
  });

  it('leaves a command without options of chopsticks as it is', async () => {
    const argv = ['wss://one.example', '--block', '5'];
    expect(await translateArguments(argv, ownForkOptions)).toEqual({
      argv,
      rest: {},
      notices: [],
      isFile: false,
    });
  });

  it('names each option that has no effect here', async () => {
    const options = {
      'registered-types': '{}',
      'max-memory-block-count': '100',
      'save-blocks': 'false',
      'process-queued-messages': 'false',
      'rpc-timeout': '1000',
    };
    const lines = Object.entries(options).map(([name, value]) => `${name}: ${value}`);
    const { notices } = await change([endpoint, ...lines].join('\n'));
    expect(notices.map((text) => text.split(':')[0]).sort()).toEqual(Object.keys(options).sort());
  });
});

/** Ten levels, each of which names the one before ten times. */
const bomb = `[&b0 [x]${Array.from({ length: 9 }, (_, level) => `, &b${level + 1} [${`*b${level},`.repeat(10)}]`).join('')}]`;

describe('a configuration that is wrong', () => {
  const cases: readonly (readonly [text: string, expected: string | RegExp])[] = [
    ['endpoints: wss://one.example', 'chopsticks has no option "endpoints"; did you mean "endpoint"?'],
    ['nothing: 1', 'chopsticks has no option "nothing"; remove it, or write one of endpoint, block'],
    ['endpoint:', '"endpoint" is empty'],
    ['endpoint: [1]', '"endpoint" takes the URL of a node, or a list of them, not [1]'],
    [`${endpoint}\nblock: 1.5`, '"block" takes a block number'],
    [`${endpoint}\nblock: '0x12'`, '"block" takes a block number'],
    [`${endpoint}\nport: high`, '"port" takes a port, not "high"'],
    [`${endpoint}\nbuild-block-mode: batch`, 'Batch, Instant or Manual, not "batch"'],
    [`${endpoint}\nmock-signature-host: 1`, 'true or false, not 1'],
    [`${endpoint}\nruntime-log-level: 6`, 'a level from 0 (off) to 5 (trace), not 6'],
    [`${endpoint}\ntimestamp: 2030-01-01`, 'milliseconds since 1970'],
    [`${endpoint}\nresume: true`, 'add "db", or remove "resume"'],
    [`${endpoint}\nhost: 0.0.0.0`, 'add --ws-external, or remove it'],
    [`${endpoint}\ngenesis: spec.json`, 'run tabnode serve --chain FILE'],
    [`${endpoint}\nport: 1\nport: 2`, /config\.yml:3: .*unique/],
    [`${endpoint}\nimport-storage:\n  5: {}\n  '5': {}`, /config\.yml:4: .*unique/],
    [`${endpoint}\n---\n${endpoint}`, /config\.yml:2: it has several documents/],
    [`${endpoint}\naddr: 0.0.0.0`, '"addr: 0.0.0.0" lets others reach'],
    [`endpoint: \${env.toString}`, '"endpoint" is empty'],
    [`endpoint: \${env.__proto__}`, '"endpoint" is empty'],
    [`endpoint: ${'x'.repeat(300)}`, /^x{200} is not the URL of a node/],
    [`endpoint: 'wss://one`, /config\.yml:1: /],
    [`${endpoint}\nport: \${process.exit()}`, 'process.exit()} is not evaluated here'],
    ['- endpoint', 'expected options of chopsticks'],
    [`${endpoint}\nimport-storage: &a\n  Sudo: *a`, /config\.yml:.* more than 32 levels/],
    [
      `${endpoint}\nimport-storage: ${'['.repeat(20_000)}${']'.repeat(20_000)}`,
      /config\.yml:.* more than 32 levels/,
    ],
    [`${endpoint}\nprefetch-storages: *nothing`, /config\.yml: .*alias/],
    [`${endpoint}\nimport-storage: ${bomb}`, /config\.yml: .*alias/],
    [`${endpoint}\n<<: 5`, /config\.yml: .*[Mm]erge/],
    [`${endpoint}\nimport-storage: !!set {Sudo, System}`, /config\.yml: .*only maps, lists, texts/],
    [`${endpoint}\nimport-storage: !!omap [Sudo: 1]`, /config\.yml: .*only maps, lists, texts/],
    [`${endpoint}\ndb: !!binary aGVsbG8=`, /config\.yml: .*only maps, lists, texts/],
  ];

  it.each(cases)('is refused in one sentence: %s', async (text, expected) => {
    const refused = parsed(text);
    await expect(refused).rejects.toThrow(expected);
    await expect(refused).rejects.toMatchObject({ code: 'BadConfig' });
  });

  it('or no text is refused by its reason', async () => {
    const path = join(folder, 'binary.yml');
    writeFileSync(path, new Uint8Array([0x65, 0xff, 0xfe]));
    const cases = [
      [path, 'binary.yml is no text in UTF-8'],
      [folder, 'cannot be read: it is a folder'],
      [join(folder, 'none.yml'), 'cannot be read: there is no such file'],
      ['http://127.0.0.1:1/a.yml', 'cannot be read: bad port'],
    ] as const;
    for (const [name, text] of cases) {
      await expect(readConfigFile(name)).rejects.toMatchObject({ code: 'BadConfig' });
      await expect(readConfigFile(name)).rejects.toThrow(text);
    }
  });

  it.skipIf(!existsSync('/dev/zero'))('or without an end is refused at a limit', async () => {
    await expect(readConfigFile('/dev/zero')).rejects.toThrow('cannot be read: it has more than 64 MiB');
  });

  it('or large is read as JSON, and refused as YAML', async () => {
    const free = 2n ** 100n;
    const many = Array.from({ length: 20_000 }, (_, index) => `[["0x${index}"], {"free": ${free}}]`);
    const text = `{"System": {"Account": [${many.join()}]}}`;
    const config = (await read(text)) as { System: { Account: unknown[] } };
    expect(config.System.Account.at(-1)).toEqual([['0x19999'], { free }]);
    await expect(read(`a: ${text.repeat(5)}`)).rejects.toThrow(
      'config.yml: more than 4 MiB are read as JSON only',
    );
    // As quickly with many keys: each is looked up, not compared with each other one.
    const keys = Array.from({ length: 60_000 }, (_, index) => `k${index}: 1\n`).join('');
    await expect(read(`${keys}k0: 2\n`)).rejects.toThrow(/config\.yml:60001: .*unique/);
  });

  it('does not say twice where the fork is stored, and names what a pack leaves out', async () => {
    await expect(change(`${endpoint}\ndb: a`, '--base-path', folder)).rejects.toThrow(
      '"db" and --base-path both say where',
    );
    const { argv, notices } = await change(endpoint, '--pack', 'a.pack');
    expect(argv).not.toContain('wss://one.example');
    expect(notices).toEqual([expect.stringContaining('endpoint: nothing is read from it')]);
    const both = await change(endpoint, '--pack', 'a.pack', '-e', 'wss://a.example', 'wss://b.example');
    expect(both.argv.slice(-2)).toEqual(['wss://b.example', 'wss://a.example']);
    expect(both.notices).toEqual([]);
  });

  it('or not there is refused, too', async () => {
    await expect(translateArguments(['-c', join(folder, 'none.yml')], ownForkOptions)).rejects.toThrow(
      'none.yml cannot be read',
    );
    await expect(translateArguments(['-c', 'acala'], ownForkOptions)).rejects.toThrow('/configs/acala.yml');
  });

  const serve = async (respond: RequestListener): Promise<string> => {
    const server = createServer(respond).listen(0, '127.0.0.1');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    await new Promise((resolve) => server.once('listening', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.yml`;
  };

  it('is read from a URL, up to a limit', async () => {
    const good = await serve((_, response) => response.end(endpoint));
    expect(await readConfigFile(good)).toEqual({ endpoint: 'wss://one.example' });
    const absent = await serve((_, response) => response.writeHead(404).end());
    await expect(readConfigFile(absent)).rejects.toMatchObject({
      code: 'BadConfig',
      message: `${absent} cannot be read: the server responds 404`,
    });
    const part = Buffer.alloc(1024 * 1024);
    const endless = await serve((_, response) => {
      const more = (): void => void response.write(part, (error) => error ?? more());
      more();
    });
    await expect(readConfigFile(endless)).rejects.toThrow('it has more than 64 MiB');
  });

  it('with parts of a state in another form is refused', () => {
    const good = ['0xAb', 'System', 'System.Account', { System: 'Account' }, { 'System.Account': ['5Grw'] }];
    expect(readItems([...good, { System: { Account: [1] } }], 'x')).toHaveLength(6);
    for (const wrong of [1, '', 'a.b.c', '0xa', { System: 1 }, { System: [1] }, { a: 'b', c: 'd' }])
      expect(() => readItems([wrong], 'prefetch-storages')).toThrow('is no part of a state');
  });
});
