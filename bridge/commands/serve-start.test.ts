import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { callHttp, post } from '../clients/test-clients.fixture.ts';
import { runProcess, runServe, startServe } from '../clients/test-process.fixture.ts';

it('a second one reports the port as in use', async () => {
  const running = await startServe('--tmp', '--seal', 'manual');
  const port = new URL(running.ready.http).port;
  const { code, stderr } = await runServe('--dev', '--rpc-port', port);
  expect(code).toBe(1);
  expect(JSON.parse(stderr)).toMatchObject({
    event: 'error',
    code: 'BadConfig',
    message: expect.stringContaining(port),
  });
  running.kill('SIGTERM');
  await running.ended;
});

describe('methods of a module', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tabnode-module-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  it('can be called, and are listed and described', async () => {
    const file = write(
      'own.mjs',
      `export const rpcMethods = {
        my_echo: (params, context) => ({ params, context }),
        my_secret: { call: () => 1, doc: 'A secret.', safety: 'unsafe' },
        my_fault: () => { throw Object.assign(new Error('no'), { code: 7001, data: 'why' }); },
      };`,
    );
    const node = await startServe('--dev', '--seal', 'manual', '--rpc-methods', 'safe', '--rpc-module', file);
    const ask = async (method: string, params: unknown = []): Promise<object> =>
      (
        await post(node.ready.http, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
      ).json() as never;
    expect(await ask('my_echo', { a: [1] })).toMatchObject({
      result: { params: { a: [1] }, context: { denyUnsafe: true, dialect: 'psp-6' } },
    });
    expect(await ask('my_secret')).toMatchObject({
      error: { code: -32601, message: expect.stringContaining('unsafe') },
    });
    expect(await ask('my_fault')).toMatchObject({ error: { code: 7001, message: 'no', data: 'why' } });
    expect(await ask('rpc_methods')).toMatchObject({
      result: { methods: expect.arrayContaining(['my_echo', 'my_fault', 'my_secret']) },
    });
    const described = expect.arrayContaining([
      expect.objectContaining({ name: 'my_secret', description: 'A secret.' }),
    ]);
    expect(await ask('rpc.discover')).toMatchObject({ result: { methods: described } });
    node.kill('SIGTERM');
    await node.ended;
  });

  it.each([
    ['export const rpcMethods = { chain_getHead: () => 1 };', "is the node's own"],
    ['export const rpcMethods = { my_a: 1 };', 'has no handler'],
    ['export const other = {};', 'does not export rpcMethods'],
    ['export const = 1;', 'could not be imported'],
  ])('%s: the node does not start, %s', async (text, why) => {
    const file = write(`${why.length}.mjs`, text);
    const { code, stderr } = await runServe('--dev', '--rpc-module', file);
    expect(code).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({ code: 'BadConfig', message: expect.stringContaining(why) });
  });
});

describe('a stored chain', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tabnode-serve-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const args = ['--dev', '--seal', 'manual', '--base-path', folder] as const;

  it('resumes after SIGTERM and SIGINT, and has one writer', async () => {
    const first = await startServe(...args);
    await callHttp(first.ready.http, 'engine_createBlock', [true, false]);
    const best = await callHttp(first.ready.http, 'chain_getBlockHash', []);
    const intruder = await runServe(...args);
    expect(intruder.code).toBe(1);
    expect(JSON.parse(intruder.stderr)).toMatchObject({ code: 'ChainInUse' });
    first.kill('SIGTERM');
    expect((await first.ended).code).toBe(0);
    const second = await startServe(...args);
    expect(second.ready).toMatchObject({ genesisHash: first.ready.genesisHash, bestNumber: 1 });
    expect(await callHttp(second.ready.http, 'chain_getBlockHash', [])).toBe(best);
    second.kill('SIGINT');
    expect((await second.ended).code).toBe(0);
  });
});

it('--clock starts the chain at a date', async () => {
  const node = await startServe('--dev', '--seal', 'manual', '--clock', '2024-02-29');
  await callHttp(node.ready.http, 'engine_createBlock', [true, false]);
  const now = '0xf0c365c3cf59d671eb72da0e7a4113c49f1f0515f462cdcf84e0f1d6045dfcbb';
  const littleEndian = (await callHttp(node.ready.http, 'state_getStorage', [now])) as string;
  const timestamp = Number(Buffer.from(littleEndian.slice(2), 'hex').readBigUInt64LE());
  expect(new Date(timestamp).toISOString()).toBe('2024-02-29T00:00:00.000Z');
  node.kill('SIGTERM');
  await node.ended;
});

describe('invalid arguments', () => {
  it.each([
    [['serve', '--no-such-flag'], 'BadConfig'],
    [['serve', '--chain', 'no-such-file.json'], 'BadSpec'],
    [['serve', '--tmp', '--chain', 'package.json'], 'BadSpec'],
    [['no-such-command'], 'BadConfig'],
  ])('%j ends with %s on stderr', async (args, code) => {
    const ended = await runProcess(...args);
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(new RegExp(`^Error ${code}: `));
  });

  it('prints the help', async () => {
    for (const args of [['--help'], ['serve', '--help'], ['import-blocks', '-h']]) {
      const { code, stdout } = await runProcess(...args);
      expect(code).toBe(0);
      expect(stdout).toContain(args.length === 1 ? 'import-blocks' : '--base-path');
    }
  });
});
