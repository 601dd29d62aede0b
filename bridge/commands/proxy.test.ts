import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { parseProxyArguments } from '../cli/proxy-arguments.ts';
import { serving } from '../clients/serving.fixture.ts';
import { callSocket, nextTexts, openSocket } from '../clients/socket-clients.fixture.ts';
import { bodyOf, callHttp, post } from '../clients/test-clients.fixture.ts';
import { runProcess, startProcess } from '../clients/test-process.fixture.ts';
import { readAllowList } from '../proxy/allow-list.ts';
import { createProxyPorts } from '../proxy/proxy-ports.ts';
import { openServers } from '../server/open-servers.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabnode-proxy-'));
const file = join(folder, 'allow.txt');
afterAll(() => rmSync(folder, { recursive: true }));

const listText = '# what the public may do\nsystem_chain\nchain_*\n\nstate_subscribeStorage # and its end\n';
const list = readAllowList(file, listText);

type Seen = { readonly url: string; readonly text: string };
/** A fake node that returns each call's method, or what the test specifies. */
const startFakeNode = async (answer: (call: { id: number; method: string }, socket: WebSocket) => void) => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  const seen: Seen[] = [];
  server.on('connection', (socket, { url = '' }) => {
    socket.on('message', (data: Uint8Array) => {
      const text = new TextDecoder().decode(data);
      seen.push({ url, text });
      answer(JSON.parse(text), socket);
    });
  });
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    for (const client of server.clients) client.terminate();
    await new Promise((resolve) => server.close(resolve));
  };
  return { to: `ws://127.0.0.1:${port}`, seen, clients: server.clients, close };
};

const echo = ({ id, method }: { id: number; method: string }, socket: WebSocket): void =>
  socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: method }));

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

const start = async (flags: readonly string[] = [], answer = echo) => {
  const node = await startFakeNode(answer);
  cleanups.push(node.close);
  const args = ['--allow', file, '--to', node.to, '--ws-port=0', '--rpc-port=0', ...flags];
  const door = await openServers(createProxyPorts(node.to, list), parseProxyArguments(args));
  cleanups.push(door.close);
  const ask = async (text: string): Promise<any> => (await post(door.http, text)).json();
  return { node, door, ask };
};

describe('the allow-list', () => {
  it.each([
    ['system_chain', true],
    ['system_chainType', false],
    ['chain_getHeader', true],
    ['chain_subscribeNewHeads', true],
    ['state_subscribeStorage', true],
    ['state_unsubscribeStorage', true],
    // Ends chain_subscribeRuntimeVersion, which is an alias of state_subscribeRuntimeVersion.
    ['state_unsubscribeRuntimeVersion', true],
    ['grandpa_unsubscribeJustifications', false],
    ['rpc_methods', true],
    ['chain', false],
    ['toString', false],
    ['author_insertKey', false],
  ])('%s: %s', (method, isAllowed) => {
    expect(list.allows(method)).toBe(isAllowed);
  });

  it.each([
    ['', 'names no method'],
    ['# nothing\n\n', 'names no method'],
    ['system_chain\nsystem chain', `${file}:2: expected the name`],
    ['*', `${file}:1: expected the name`],
    ['["system_chain"]', `${file}:1: expected the name`],
  ])('%j is refused', (text, why) => {
    expect(() => readAllowList(file, text)).toThrow(why);
  });
});

describe('calls', () => {
  it("of allowed methods are forwarded, and the response has the client's id", async () => {
    const { door, node } = await start();
    for (const id of [7, 'a"b', null])
      expect(await (await post(door.http, bodyOf('system_chain', [], id))).json()).toEqual({
        jsonrpc: '2.0',
        id,
        result: 'system_chain',
      });
    expect(await callSocket(door.ws, 'chain_getHeader', ['0x00'])).toMatchObject({
      result: 'chain_getHeader',
    });
    expect(node.seen.at(-1)).toMatchObject({ url: '/?dialect=polkadot-sdk' });
  });

  it('in a large text are forwarded in order', async () => {
    const { door, node } = await start();
    const large = bodyOf('system_chain', ['a'.repeat(14 * 1024 * 1024)], 1);
    const socket = await openSocket(door.ws);
    const texts = nextTexts(socket, 3);
    socket.send(large);
    socket.send(bodyOf('system_chain', [], 2));
    socket.send(large.replace('"id":1', '"id":3'));
    const ids = (await texts).map((text) => (JSON.parse(text) as { id: number }).id);
    expect(ids).toEqual([1, 2, 3]);
    const batch = `[${Array.from({ length: 1000 }, (_, id) => bodyOf('system_chain', ['a'.repeat(90)], id))}]`;
    const answers = (await (await post(door.http, batch)).json()) as { result: string }[];
    expect(answers.filter(({ result }) => result === 'system_chain')).toHaveLength(1000);
    expect(node.seen).toHaveLength(1003);
    socket.close();
  });

  it('of other methods are refused over both transports, and not forwarded', async () => {
    const { door, node, ask } = await start();
    const error = { code: -32601, message: 'Method not found', data: expect.stringContaining('proxy') };
    expect(await ask(bodyOf('author_insertKey'))).toEqual({ jsonrpc: '2.0', id: 1, error });
    expect(await callSocket(door.ws, 'author_insertKey')).toMatchObject({ error });
    expect(node.seen).toEqual([]);
  });

  it.each([
    ['{"jsonrpc":"2.0","id":1,"method":"system_chain","method":"author_insertKey"}', -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"system_chain","params":[],"params":[1]}', -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"system_chain",}', -32700],
    ['{"jsonrpc":"2.0","id":1,"method":"system_chain","params":"x"}', -32602],
    ['{"id":1,"method":"system_chain"}', -32600],
    ['[]', -32600],
  ])('that cannot be parsed are not forwarded: %s', async (text, code) => {
    const { ask, node } = await start();
    expect(await ask(text)).toMatchObject({ error: { code } });
    expect(node.seen).toEqual([]);
  });

  it('without an id are not forwarded', async () => {
    const { door, node } = await start();
    expect(await (await post(door.http, '{"jsonrpc":"2.0","method":"system_chain"}')).text()).toBe('');
    expect(node.seen).toEqual([]);
  });

  it('in a batch are refused individually', async () => {
    const { ask, node } = await start();
    const calls = [
      bodyOf('system_chain', [], 1),
      bodyOf('author_insertKey', [], 2),
      '{"jsonrpc":"2.0","method":"system_chain"}',
      '1',
      bodyOf('chain_getHeader', [], 'x'),
    ];
    expect(await ask(`[${calls.join(',')}]`)).toMatchObject([
      { id: 1, result: 'system_chain' },
      { id: 2, error: { code: -32601 } },
      { id: null, error: { code: -32600 } },
      { id: 'x', result: 'chain_getHeader' },
    ]);
    expect(node.seen.map(({ text }) => JSON.parse(text).method)).toEqual(['system_chain', 'chain_getHeader']);
  });

  it('of which the node refuses one without its id are answered with theirs', async () => {
    const { door } = await start([], ({ id, method }, socket) => {
      const error = { code: -32007, message: 'Request is too big', data: 'Exceeded max limit of 500' };
      if (method === 'chain_getBlock') socket.send(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
      else socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: method }));
    });
    const socket = await openSocket(door.ws);
    const texts = nextTexts(socket, 2);
    socket.send(bodyOf('chain_getBlock', ['x'.repeat(600)], 'big'));
    socket.send(bodyOf('system_chain', [], 'small'));
    expect((await texts).map((text) => JSON.parse(text))).toMatchObject([
      { id: 'big', error: { code: -32007, data: 'Exceeded max limit of 500' } },
      { id: 'small', result: 'system_chain' },
    ]);
    socket.close();
  });

  it('are matched to responses, whatever the order of members and of responses', async () => {
    const waiting: { id: number; method: string }[] = [];
    const { door } = await start([], (call, socket) => {
      waiting.push(call);
      if (waiting.length < 2) return;
      for (const { id, method } of waiting.reverse())
        socket.send(`{"result":[18446744073709551615,"${method}"], "id" : ${id}, "jsonrpc":"2.0"}`);
    });
    const socket = await openSocket(door.ws);
    const texts = nextTexts(socket, 2);
    socket.send(bodyOf('system_chain', [], 'a'));
    socket.send(bodyOf('chain_getHeader', [], 'b'));
    expect(await texts).toEqual([
      '{"jsonrpc":"2.0","id":"b","result":[18446744073709551615,"chain_getHeader"]}',
      '{"jsonrpc":"2.0","id":"a","result":[18446744073709551615,"system_chain"]}',
    ]);
    socket.close();
  });

  it('rpc_methods: an error of the node stays one', async () => {
    const error = { code: -32601, message: 'Method not found' };
    const { ask } = await start([], ({ id }, socket) =>
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, error })),
    );
    expect(await ask(bodyOf('rpc_methods'))).toEqual({ jsonrpc: '2.0', id: 1, error });
  });

  it('rpc_methods lists the allowed methods', async () => {
    const methods = ['author_insertKey', 'chain_getHeader', 'rpc_methods', 'system_chain'];
    const { ask } = await start([], ({ id }, socket) =>
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: { methods, version: 1 } })),
    );
    expect((await ask(bodyOf('rpc_methods'))).result).toEqual({
      methods: ['chain_getHeader', 'rpc_methods', 'system_chain'],
    });
  });
});

describe('limits per client', () => {
  it('subscriptions, which HTTP does not support', async () => {
    let next = 0;
    const { door, ask } = await start(
      ['--rpc-max-subscriptions-per-connection', '2'],
      ({ id, method }, socket) =>
        socket.send(
          JSON.stringify({
            jsonrpc: '2.0',
            id,
            result: method.includes('unsubscribe') ? true : `s${next++}`,
          }),
        ),
    );
    expect(await ask(bodyOf('chain_subscribeNewHeads'))).toMatchObject({ error: { code: -32601 } });
    const socket = await openSocket(door.ws);
    const call = async (method: string, params: unknown[] = []): Promise<any> => {
      const texts = nextTexts(socket, 1);
      socket.send(bodyOf(method, params));
      return JSON.parse((await texts)[0] as string);
    };
    expect(await call('chain_subscribeNewHeads')).toMatchObject({ result: 's0' });
    expect(await call('chain_subscribeNewHeads')).toMatchObject({ result: 's1' });
    expect(await call('chain_subscribeNewHeads')).toMatchObject({ error: { code: -32006 } });
    // The node would not end it by another subscription's method.
    await call('state_unsubscribeStorage', ['s0']);
    expect(await call('chain_subscribeNewHeads')).toMatchObject({ error: { code: -32006 } });
    expect(await call('chain_unsubscribeNewHeads', ['s0'])).toMatchObject({ result: true });
    expect(await call('chain_subscribeNewHeads')).toMatchObject({ result: 's2' });
    socket.close();
  });

  it.each([
    [['--rpc-max-batch-request-len', '1'], -32010],
    [['--rpc-disable-batch-requests'], -32005],
  ])('batches: %j', async (flags, code) => {
    const { ask } = await start(flags);
    const batch = `[${bodyOf('system_chain')},${bodyOf('system_chain')}]`;
    expect(await ask(batch)).toMatchObject({ id: null, error: { code } });
  });

  it('the size of responses and of requests', async () => {
    const flags = ['--rpc-max-response-size', '1', '--rpc-max-request-size', '1'];
    const { ask } = await start(flags, ({ id, method }, socket) =>
      socket.send(
        JSON.stringify({
          jsonrpc: '2.0',
          id,
          result: 'x'.repeat(method === 'system_chain' ? 1_100_000 : 600_000),
        }),
      ),
    );
    expect(await ask(bodyOf('system_chain'))).toMatchObject({ id: 1, error: { code: -32008 } });
    expect(await ask(`[${bodyOf('chain_getHeader')},${bodyOf('chain_getHeader')}]`)).toMatchObject({
      error: { code: -32011 },
    });
    expect(await ask(bodyOf('chain_getHeader', ['x'.repeat(1_100_000)]))).toMatchObject({
      error: { code: -32007 },
    });
  });

  it('calls per minute, including those in a batch', async () => {
    const { door } = await start(['--rpc-rate-limit', '3']);
    const socket = await openSocket(door.ws);
    const texts = nextTexts(socket, 2);
    socket.send(`[${Array.from({ length: 5 }, (_, id) => bodyOf('system_chain', [], id)).join(',')}]`);
    socket.send(bodyOf('author_insertKey'));
    const answers = (await texts).map((text) => JSON.parse(text));
    const batch: any[] = answers.find(Array.isArray) ?? [];
    expect(batch.map(({ error }) => error?.code)).toEqual([undefined, undefined, undefined, -32999, -32999]);
    expect(answers.find((one) => !Array.isArray(one))).toMatchObject({ error: { code: -32999 } });
    socket.close();
  });

  it('pending calls', async () => {
    const { door, node } = await start([], () => undefined);
    const socket = await openSocket(door.ws);
    const texts = nextTexts(socket, 1);
    for (let id = 0; id <= 1024; id++) socket.send(bodyOf('system_chain', [], id));
    expect(JSON.parse((await texts)[0] as string)).toMatchObject({ id: 1024, error: { code: -32009 } });
    expect(node.seen.length).toBeLessThanOrEqual(1024);
    socket.close();
  });
});

describe('when the node disconnects', () => {
  it('its clients are disconnected, and new ones connect once it is back', async () => {
    const { door, node } = await start([], ({ method, id }, socket) =>
      method === 'chain_getHeader' ? socket.terminate() : echo({ id, method }, socket),
    );
    const socket = await openSocket(door.ws);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.send(bodyOf('chain_getHeader'));
    expect(await closed).toBe(1001);
    expect((await post(door.http, bodyOf('chain_getHeader'))).status).toBe(500);
    expect(await callHttp(door.http, 'system_chain')).toBe('system_chain');
    await node.close();
    const other = await openSocket(door.ws);
    expect(await new Promise((resolve) => other.once('close', resolve))).toBe(1011);
  });

  it('a client that disconnects closes its connection to the node', async () => {
    const { door, node } = await start();
    const socket = await openSocket(door.ws);
    const texts = nextTexts(socket, 1);
    socket.send(bodyOf('system_chain'));
    await texts;
    const [upstream] = [...node.clients];
    const closed = new Promise((resolve) => upstream?.once('close', resolve));
    socket.close();
    await closed;
  });

  it('a message that is not JSON-RPC ends the connection', async () => {
    const { door } = await start([], (_call, socket) => socket.send('<html>'));
    const socket = await openSocket(door.ws);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.send(bodyOf('system_chain'));
    expect(await closed).toBe(1001);
  });
});

describe('tabnode proxy', () => {
  const node = serving('--dev', '--seal', 'manual');
  beforeEach(() => writeFileSync(file, listText));

  it('serves the listed methods of a node, with its subscriptions', async () => {
    const args = ['--allow', file, '--to', node().ready.ws, '--ws-port=0', '--rpc-port=0', '--json'];
    const process = startProcess('proxy', ...args);
    const { ws, http } = JSON.parse(await process.firstLine);
    expect(await callHttp(http, 'system_chain')).toBe('Development');
    expect(await callSocket(ws, 'system_name')).toMatchObject({ error: { code: -32601 } });
    const socket = await openSocket(ws);
    const texts = nextTexts(socket, 2);
    socket.send(bodyOf('chain_subscribeNewHeads'));
    const [opened, item] = (await texts).map((text) => JSON.parse(text));
    expect(item).toMatchObject({
      method: 'chain_newHead',
      params: { subscription: opened.result, result: { number: '0x0' } },
    });
    socket.close();
    process.kill('SIGTERM');
    expect(await process.ended).toMatchObject({ code: 0, stderr: '' });
  });

  it.each([
    [[], 'needs --allow FILE'],
    [['--allow', file], 'needs --allow FILE'],
    [['--allow', file, '--to', 'http://127.0.0.1:9933'], 'expected the WebSocket address'],
    [['--allow', '/no/such/file', '--to', 'ws://127.0.0.1:9944'], 'cannot be read'],
    [['--allow', file, '--to', 'ws://127.0.0.1:9944', '--rpc-methods', 'safe'], 'Unknown option'],
  ])('refuses %j', async (args, text) => {
    const ended = await runProcess('proxy', ...args);
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining(text) });
  });
});
