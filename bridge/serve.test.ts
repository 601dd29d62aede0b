import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { parseJson } from '../src/protocol/json.ts';
import { runProcess, startServe } from './test-process.ts';

type Served = Awaited<ReturnType<typeof startServe>>;
const bodyOf = (method: string, params: readonly unknown[] = [], id: unknown = 1): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

const post = (address: string, body: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(address, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });

const callHttp = async (address: string, method: string, params: readonly unknown[] = []): Promise<unknown> =>
  ((await (await post(address, bodyOf(method, params))).json()) as { result?: unknown }).result;

const openSocket = (address: string, headers: Record<string, string> = {}): Promise<WebSocket> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(address, { headers });
    socket.once('open', () => resolve(socket));
    socket.once('error', reject);
  });

const nextTexts = (socket: WebSocket, count: number): Promise<string[]> =>
  new Promise((resolve) => {
    const texts: string[] = [];
    const take = (data: Uint8Array): void => {
      texts.push(new TextDecoder().decode(data));
      if (texts.length < count) return;
      socket.off('message', take);
      resolve(texts);
    };
    socket.on('message', take);
  });

/** fetch does not let a program choose its Host. */
const statusForHost = (address: string, host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const sent = httpRequest(
      address,
      { method: 'POST', headers: { host, 'content-type': 'application/json' } },
      (response) => {
        response.resume();
        resolve(response.statusCode);
      },
    );
    sent.once('error', reject);
    sent.end(bodyOf('system_name'));
  });

describe('tabnode serve', () => {
  let node: Served;
  beforeAll(async () => {
    // Not --dev, which lets every page in.
    node = await startServe('--tmp', '--seal', 'manual');
  });
  afterAll(async () => {
    node.kill('SIGTERM');
    await node.ended;
  });

  it('says when it is ready, in exactly these words', async () => {
    expect(JSON.parse(await node.firstLine)).toEqual({
      event: 'ready',
      ws: expect.stringMatching(/^ws:\/\/127\.0\.0\.1:\d+$/),
      http: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      genesisHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      bestNumber: 0,
    });
  });

  it('answers over HTTP and over WebSocket', async () => {
    const genesis = await callHttp(node.ready.http, 'chain_getBlockHash', [0]);
    expect(genesis).toBe(node.ready.genesisHash);
    const socket = await openSocket(node.ready.ws);
    const answer = nextTexts(socket, 1);
    socket.send(bodyOf('chain_getBlockHash', [0], 'a'));
    expect(JSON.parse((await answer)[0] as string)).toEqual({ jsonrpc: '2.0', id: 'a', result: genesis });
    socket.close();
  });

  it('sends notifications over WebSocket and refuses subscriptions over HTTP', async () => {
    const socket = await openSocket(node.ready.ws);
    const texts = nextTexts(socket, 2);
    socket.send(bodyOf('chain_subscribeNewHeads'));
    const [opened, first] = (await texts).map((text) => JSON.parse(text));
    expect(first).toMatchObject({ method: 'chain_newHead', params: { subscription: opened.result } });
    socket.close();
    const refused = await (await post(node.ready.http, bodyOf('chain_subscribeNewHeads'))).json();
    expect(refused).toMatchObject({ id: 1, error: { code: -32603 } });
  });

  it('describes itself', async () => {
    const text = readFileSync(new URL('../docs/openrpc.json', import.meta.url), 'utf8');
    expect(await callHttp(node.ready.http, 'rpc.discover')).toEqual(JSON.parse(text));
  });

  it('keeps answers of simultaneous requests with the same id apart', async () => {
    const numbers = Array.from({ length: 20 }, (_, index) => index % 2);
    const answers = await Promise.all(
      numbers.map((number) => callHttp(node.ready.http, 'chain_getBlockHash', [number])),
    );
    expect(answers).toEqual(numbers.map((number) => (number === 0 ? node.ready.genesisHash : null)));
  });

  it('answers a body of notifications with an empty body', async () => {
    const response = await post(node.ready.http, '{"jsonrpc":"2.0","method":"system_name"}');
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  it('takes the dialect from the address', async () => {
    const blockOf = async (query: string): Promise<object> =>
      (await callHttp(`${node.ready.http}/${query}`, 'chain_getBlock', [])) as object;
    expect(await blockOf('')).toHaveProperty('justification');
    expect(await blockOf('?dialect=polkadot-sdk')).not.toHaveProperty('justification');
    expect((await post(`${node.ready.http}/?dialect=klingon`, bodyOf('system_name'))).status).toBe(400);
    await expect(openSocket(`${node.ready.ws}/?dialect=klingon`)).rejects.toThrow('400');
  });

  it.each([
    ['GET', undefined, '', 405],
    ['POST', 'text/plain', bodyOf('system_name'), 415],
    ['POST', 'application/jsonrequest', bodyOf('system_name'), 415],
    ['POST', 'application/json ; charset=utf-8', bodyOf('system_name'), 415],
    ['POST', 'application/json;charset=UTF-8', bodyOf('system_name'), 200],
    ['POST', 'application/json-rpc; charset=utf-8', bodyOf('system_name'), 200],
    ['POST', 'application/json', '', 400],
    ['POST', 'application/json', 'x', 400],
    ['POST', 'application/json', '{', 200],
  ])('HTTP %s %s "%s" has status %d', async (method, type, body, status) => {
    const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
    const response = await fetch(node.ready.http, {
      method,
      headers,
      ...(method === 'POST' ? { body } : {}),
    });
    await response.text();
    expect(response.status).toBe(status);
  });

  it.each([
    ['GET', '/health', 200, '{"peers":0,"isSyncing":false,"shouldHavePeers":false}'],
    ['GET', '/health/readiness', 200, ''],
    ['POST', '/health', 405, ''],
    ['OPTIONS', '/health/readiness', 405, ''],
  ])('HTTP %s %s tells of the health', async (method, path, status, text) => {
    const response = await fetch(node.ready.http + path, { method });
    expect([response.status, await response.text()]).toEqual([status, text]);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('takes no byte order mark for JSON', async () => {
    const body = `\uFEFF${bodyOf('system_name')}`;
    const socket = await openSocket(node.ready.ws);
    const answer = nextTexts(socket, 1);
    socket.send(body);
    expect(await answer).toEqual([
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}',
    ]);
    socket.close();
    expect((await post(node.ready.http, body)).status).toBe(400);
  });

  it('reads of a body that is no UTF-8 what a native node reads: the id', async () => {
    const ask = async (text: string, query = '?dialect=polkadot-sdk') => {
      // A byte for each character: ÿ is 0xff, which stands nowhere in UTF-8.
      const body = Uint8Array.from(text, (character) => character.charCodeAt(0));
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${node.ready.http}/${query}`, { method: 'POST', headers, body });
      const { id, error } = parseJson(await response.text()) as { id: unknown; error: { code: number } };
      return [response.status, id, error.code];
    };
    const call = '{"jsonrpc":"2.0","id":18446744073709551615,"method":"system_name","params":["ÿ"]}';
    expect(await ask(call)).toEqual([200, 18446744073709551615n, -32600]);
    expect(await ask('{"jsonrpc":"2.0","id":"a","method":"system_nameÿ"}')).toEqual([200, 'a', -32600]);
    expect(await ask('{"jsonrpc":"2.0","id":"ÿ","method":"system_name"}')).toEqual([200, null, -32700]);
    expect(await ask('{"jsonrpc":"2.0","id":1,"method":"system_name"}ÿ')).toEqual([200, null, -32700]);
    expect(await ask(`[${call}]`)).toEqual([200, null, -32700]);
    expect(await ask(call, '')).toEqual([200, null, -32700]);
    expect(await ask(`ÿ${call}`)).toEqual([400, null, -32700]);
  });

  it('refuses bodies above 15 MiB on both, and goes on', async () => {
    const big = `{"jsonrpc":"2.0","id":1,"method":"system_name","params":["${'a'.repeat(15 * 1024 * 1024)}"]}`;
    const response = await post(node.ready.http, big);
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ id: null, error: { code: -32007 } });
    const socket = await openSocket(node.ready.ws);
    const texts = nextTexts(socket, 2);
    socket.send(big);
    socket.send(bodyOf('system_name', [], 2));
    expect((await texts).map((text) => JSON.parse(text).error?.code)).toEqual([-32007, undefined]);
    socket.close();
  });

  it('refuses a foreign Host and a foreign Origin', async () => {
    expect(await statusForHost(node.ready.http, 'evil.example')).toBe(403);
    expect(await statusForHost(node.ready.http, 'localhost:1')).toBe(200);
    await expect(openSocket(node.ready.ws, { host: 'evil.example' })).rejects.toThrow('403');
    await expect(openSocket(node.ready.ws, { origin: 'https://evil.example' })).rejects.toThrow('403');
    const allowed = await post(node.ready.http, bodyOf('system_name'), { origin: 'https://polkadot.js.org' });
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://polkadot.js.org');
    const foreign = await post(node.ready.http, bodyOf('system_name'), { origin: 'https://evil.example' });
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('tells a second one that the port is in use', async () => {
    const port = new URL(node.ready.http).port;
    const { code, stderr } = await runProcess(
      'serve',
      '--dev',
      '--json',
      '--ws-port',
      '0',
      '--rpc-port',
      port,
    );
    expect(code).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({
      event: 'error',
      code: 'BadConfig',
      message: expect.stringContaining(port),
    });
  });
});

describe('methods of a module', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tabnode-module-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  it('are answered, listed and described', async () => {
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
    const { code, stderr } = await runProcess(
      'serve',
      '--dev',
      '--json',
      '--ws-port',
      '0',
      '--rpc-port',
      '0',
      '--rpc-module',
      file,
    );
    expect(code).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({ code: 'BadConfig', message: expect.stringContaining(why) });
  });
});

describe('a kept chain', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tabnode-serve-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const args = ['--dev', '--seal', 'manual', '--base-path', folder] as const;

  it('goes on where SIGTERM and SIGINT left it, and has one writer', async () => {
    const first = await startServe(...args);
    await callHttp(first.ready.http, 'engine_createBlock', [true, false]);
    const best = await callHttp(first.ready.http, 'chain_getBlockHash', []);
    const intruder = await runProcess('serve', ...args, '--json', '--ws-port', '0', '--rpc-port', '0');
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

it('--clock begins the chain at a date', async () => {
  const node = await startServe('--dev', '--seal', 'manual', '--clock', '2024-02-29');
  await callHttp(node.ready.http, 'engine_createBlock', [true, false]);
  const now = '0xf0c365c3cf59d671eb72da0e7a4113c49f1f0515f462cdcf84e0f1d6045dfcbb';
  const littleEndian = (await callHttp(node.ready.http, 'state_getStorage', [now])) as string;
  const timestamp = Number(Buffer.from(littleEndian.slice(2), 'hex').readBigUInt64LE());
  expect(new Date(timestamp).toISOString()).toBe('2024-02-29T00:00:00.000Z');
  node.kill('SIGTERM');
  await node.ended;
});

describe('mistakes', () => {
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

  it('helps', async () => {
    for (const args of [['--help'], ['serve', '--help'], ['import-blocks', '-h']]) {
      const { code, stdout } = await runProcess(...args);
      expect(code).toBe(0);
      expect(stdout).toContain(args.length === 1 ? 'import-blocks' : '--base-path');
    }
  });
});
