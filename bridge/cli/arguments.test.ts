import { describe, expect, it } from 'vitest';
import { parseSeal, parseServeArguments } from './arguments.ts';
import { parseExportArguments, parseImportArguments } from './block-arguments.ts';
import { parseMcpArguments } from './mcp-arguments.ts';

describe('serve', () => {
  it('has the defaults stated in the help', () => {
    expect(parseServeArguments([])).toEqual({
      chain: 'development',
      preset: null,
      basePath: undefined,
      finality: undefined,
      json: false,
      keys: ['//Alice'],
      seal: { kind: 'interval', ms: 2000 },
      clock: 'chain',
      dialect: 'psp-6',
      mockSignatures: false,
      trustBlocks: false,
      statePruning: undefined,
      rpcModules: [],
      rpc: expect.objectContaining({
        ws: { host: '127.0.0.1', port: 9944, denyUnsafe: false },
        http: { host: '127.0.0.1', port: 9933, denyUnsafe: false },
      }),
      pool: {},
      offchain: {},
      blocksPruning: 'archive-canonical',
      network: { network: null, listen: [], nodeKey: null, forceAuthoring: false, unused: [] },
      log: null,
    });
  });

  it('has only the keys of the named accounts', () => {
    expect(parseServeArguments(['--bob', '--ferdie']).keys).toEqual(['//Bob', '//Ferdie']);
  });

  it('takes the options of offchain workers', () => {
    const args = ['--offchain-worker', 'always', '--enable-offchain-indexing', 'true'];
    const origins = ['--offchain-http', 'https://example.com', '--offchain-http=http://127.0.0.1:80/'];
    expect(parseServeArguments([...args, ...origins]).offchain).toEqual({
      offchainWorkers: 'always',
      offchainIndexing: true,
      offchainHttp: ['https://example.com', 'http://127.0.0.1'],
    });
  });

  it('takes the limits of the pool', () => {
    const args = ['--pool-limit', '16', '--pool-kbytes', '64', '--tx-ban-seconds', '0'];
    expect(parseServeArguments(args).pool).toEqual({ limit: 16, kbytes: 64, banSeconds: 0 });
  });

  it('takes --mock-signatures', () => {
    expect(parseServeArguments(['--mock-signatures']).mockSignatures).toBe(true);
    expect(parseServeArguments(['--trust-blocks']).trustBlocks).toBe(true);
    expect(parseImportArguments(['--trust-blocks', 'f']).trustBlocks).toBe(true);
  });

  it('takes --state-pruning', () => {
    expect(parseServeArguments(['--state-pruning', '256']).statePruning).toBe(256);
    expect(parseImportArguments(['--state-pruning=archive-canonical', 'f']).statePruning).toBe(
      'archive-canonical',
    );
    for (const text of ['0', '-1', '1.5', 'some', ''])
      expect(() => parseServeArguments([`--state-pruning=${text}`])).toThrow(
        'a number of blocks of 1 or more',
      );
  });

  it('takes --blocks-pruning', () => {
    expect(parseServeArguments(['--blocks-pruning', 'archive']).blocksPruning).toBe('archive');
  });

  it('keeps --dev in memory unless --base-path is given', () => {
    expect(parseServeArguments(['--dev']).basePath).toBeNull();
    expect(parseServeArguments(['--dev', '--base-path', 'data']).basePath).toBe('data');
    expect(parseServeArguments(['--tmp']).basePath).toBeNull();
  });

  it.each([
    ['delayed', { kind: 'delayed', ms: 1500 }],
    ['delayed:250', { kind: 'delayed', ms: 250 }],
    ['delayed:3b', { kind: 'delayed', blocks: 3 }],
    ['instant', { kind: 'instant' }],
    ['manual', { kind: 'manual' }],
  ])('reads --finality %s', (text, finality) => {
    expect(parseServeArguments(['--finality', text]).finality).toEqual(finality);
  });

  it.each([
    ['--no-such-flag'],
    ['extra'],
    ['--ws-port=65536'],
    ['--ws-port=x'],
    ['--rpc-port='],
    ['--pool-limit=-1'],
    ['--offchain-worker=sometimes'],
    ['--enable-offchain-indexing=yes'],
    ['--offchain-http=example.com'],
    ['--offchain-http=https://example.com/path'],
    ['--offchain-http=ftp://example.com'],
    ['--tx-ban-seconds=1h'],
    ['--seal=sometimes'],
    ['--blocks-pruning=256'],
    ['--finality=babe'],
    ['--finality=delayed:'],
    ['--finality=delayed:0'],
    ['--finality=delayed:0b'],
    ['--finality=delayed:1s'],
    ['--finality=delayed:9999999999'],
    ['--dialect=sdk'],
    ['--tmp', '--base-path', 'data'],
    ['--dev', '--chain', 'local_testnet'],
    ['--chain'],
    ['--rpc-methods=some'],
    ['--rpc-cors=evil.example'],
    ['--rpc-max-connections=-1'],
    ['--rpc-max-request-size=0'],
    ['--rpc-rate-limit=0'],
    ['--rpc-rate-limit-whitelisted-ips=10.0.0.0/33'],
    ['--mock-signatures', '--rpc-external'],
    ['--mock-signatures', '--ws-external'],
    ['--mock-signatures', '--unsafe-rpc-external'],
    ['--mock-signatures', '--unsafe-ws-external', '--rpc-methods', 'unsafe'],
  ])('refuses %s %s', (...args) => {
    expect(() => parseServeArguments(args)).toThrow(expect.objectContaining({ code: 'BadConfig' }));
  });
});

describe('limits', () => {
  it('are those of the SDK by default', () => {
    expect(parseServeArguments([]).rpc).toMatchObject({
      limits: {
        maxRequestBytes: 15 * 1024 * 1024,
        maxResponseBytes: 15 * 1024 * 1024,
        maxBatch: 500_000,
        maxSubscriptions: 1024,
      },
      rate: { callsPerMinute: null, trustProxy: false },
      maxConnections: 100,
      messageBuffer: 64,
    });
  });
});

describe('seal modes', () => {
  it.each([
    ['manual', { kind: 'manual' }],
    ['instant', { kind: 'instant' }],
    ['slots', { kind: 'slots' }],
    ['interval', { kind: 'interval', ms: 2000 }],
    ['interval:250', { kind: 'interval', ms: 250 }],
  ])('%s', (text, mode) => {
    expect(parseSeal(text)).toEqual(mode);
  });

  it.each(['interval:0', 'interval:', 'interval:-1', 'Manual'])('refuses %s', (text) => {
    expect(() => parseSeal(text)).toThrow(text);
  });
});

describe('clocks', () => {
  it.each([
    ['chain', 'chain'],
    ['wall', 'wall'],
    ['2025-06-30', { startMs: 1_751_241_600_000 }],
    ['2025-06-30T12:00:00Z', { startMs: 1_751_284_800_000 }],
    ['2025-06-30T12:00:00+02:00', { startMs: 1_751_277_600_000 }],
  ])('%s', (text, mode) => {
    expect(parseServeArguments(['--clock', text]).clock).toEqual(mode);
  });

  it.each(['', 'now', '2025', '2025-13-40', '1960-01-01', '2025-06-30T12:00'])('refuses "%s"', (text) => {
    expect(() => parseServeArguments(['--clock', text])).toThrow('--clock');
  });
});

describe('import-blocks', () => {
  it('takes one file, or none for standard input', () => {
    expect(parseImportArguments(['--tmp', 'blocks.jsonl'])).toMatchObject({
      file: 'blocks.jsonl',
      basePath: null,
      binary: false,
    });
    expect(parseImportArguments(['--binary'])).toMatchObject({ file: null, binary: true });
    expect(parseImportArguments(['-'])).toMatchObject({ file: null });
    expect(() => parseImportArguments(['a', 'b'])).toThrow('one FILE');
  });
});

describe('export-blocks', () => {
  it('takes a range, and one file or none for standard output', () => {
    expect(parseExportArguments([])).toMatchObject({ file: null, from: 1, to: null, binary: false });
    expect(parseExportArguments(['--from', '3', '--to', '9', '--binary', 'out'])).toMatchObject({
      ...{ file: 'out', from: 3, to: 9, binary: true },
    });
    // Block 1, as in the SDK.
    expect(parseExportArguments(['--to', '0'])).toMatchObject({ from: 1, to: 0 });
  });

  it.each([
    [['--from', '9', '--to', '3'], '--from 9 is above --to 3'],
    [['--from', '0x10'], '--from 0x10: expected a block number'],
    [['--to', '4294967296'], 'expected a block number'],
    [['--binary', '--chain-line'], 'cannot be combined'],
    [['a', 'b'], 'one FILE'],
  ])('refuses %s', (args, text) => {
    expect(() => parseExportArguments(args)).toThrow(text);
  });
});

describe('parseMcpArguments', () => {
  it('does not seal blocks automatically unless writes are allowed', () => {
    expect(parseMcpArguments(['--dev'])).toMatchObject({
      url: null,
      allowWrites: false,
      node: { basePath: null, keys: ['//Alice'], seal: { kind: 'manual' } },
    });
    expect(parseMcpArguments(['--dev', '--allow-writes']).node.seal).toEqual({ kind: 'instant' });
    expect(parseMcpArguments(['--tmp', '--bob', '--seal', 'slots']).node).toMatchObject({
      keys: ['//Bob'],
      seal: { kind: 'slots' },
    });
  });

  it('takes the address of a node, or the options of a new one', () => {
    expect(parseMcpArguments(['--url', 'ws://127.0.0.1:9944']).url).toBe('ws://127.0.0.1:9944/');
    expect(() => parseMcpArguments(['--url', 'ws://127.0.0.1:9944', '--dev'])).toThrow(
      '--dev configures a new one',
    );
    expect(() => parseMcpArguments(['--url', 'http://127.0.0.1:9933'])).toThrow(
      'expected the WebSocket address',
    );
    expect(() => parseMcpArguments(['--url', '9944'])).toThrow('expected the WebSocket address');
  });

  it.each([
    [['--http'], { host: '127.0.0.1', port: 9950 }],
    [['--http', '--dev'], { host: '127.0.0.1', port: 9950 }],
    [['--http', '0'], { host: '127.0.0.1', port: 0 }],
    [['--http=8000', '--rpc-external'], { host: '0.0.0.0', port: 8000 }],
    [['--http', '--rpc-cors', 'https://a.example'], { cors: { own: ['https://a.example'], guests: [] } }],
    [['--http', '--rpc-cors', 'all'], { cors: 'all' }],
  ])('serves HTTP: %j', (args, http) => {
    expect(parseMcpArguments(args)).toMatchObject({ needsToken: true, http });
  });

  it('has no guest origins, and needs a token by default', () => {
    expect(parseMcpArguments(['--http']).http?.cors).toMatchObject({ guests: [] });
    expect(parseMcpArguments(['--http', '--no-token']).needsToken).toBe(false);
    expect(parseMcpArguments(['--dev']).http).toBeNull();
    expect(parseMcpArguments(['--http', '--url', 'ws://127.0.0.1:9944']).http).not.toBeNull();
  });

  it.each([
    [['--no-token'], '--no-token requires --http'],
    [['--rpc-external'], '--rpc-external requires --http'],
    [['--http', 'x'], 'not a port'],
    [['--http', '65536'], 'not a port'],
    [['--http', '--no-token', '--rpc-external'], 'anybody on the network could call'],
    [['--http', '--no-token', '--rpc-cors', 'all'], 'every web page could call'],
    [['--http', '--rpc-cors', 'a.example'], 'not an origin'],
  ])('refuses %j', (args, text) => {
    expect(() => parseMcpArguments(args)).toThrow(text);
  });
});
