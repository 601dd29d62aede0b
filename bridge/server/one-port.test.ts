import { createServer } from 'node:net';
import { ApiPromise, HttpProvider, WsProvider } from '@polkadot/api';
import { afterAll, describe, expect, it } from 'vitest';
import { serving } from '../clients/serving.fixture.ts';
import { callSocket } from '../clients/socket-clients.fixture.ts';
import { bodyOf, callHttp, post, postAs } from '../clients/test-clients.fixture.ts';
import { type Ready, startProcess, type TestProcess } from '../clients/test-process.fixture.ts';

type ApiOptions = NonNullable<Parameters<typeof ApiPromise.create>[0]>;

const toHttp = (address: string): string => address.replace(/^ws:/, 'http:');
const toWs = (address: string): string => address.replace(/^http:/, 'ws:');

describe('each address accepts HTTP and WebSocket', () => {
  const node = serving('--dev', '--seal', 'manual', '--dialect', 'polkadot-sdk');

  it.each(['ws', 'http'] as const)(
    'polkadot-js reads the chain at the %s address, with either provider',
    async (name) => {
      const { genesisHash } = node().ready;
      const address = node().ready[name];
      for (const provider of [new HttpProvider(toHttp(address)), new WsProvider(toWs(address))]) {
        const api = await ApiPromise.create({ provider, noInitWarn: true } as unknown as ApiOptions);
        expect(api.genesisHash.toHex()).toBe(genesisHash);
        expect((await api.rpc.chain.getHeader()).number.toNumber()).toBe(0);
        await api.disconnect();
      }
    },
  );

  it.each(['ws', 'http'] as const)('the %s address serves /health and preflights', async (name) => {
    const address = toHttp(node().ready[name]);
    const health = await fetch(`${address}/health`);
    expect(await health.text()).toBe('{"peers":0,"isSyncing":false,"shouldHavePeers":false}');
    const headers = { origin: 'http://localhost:3000', 'access-control-request-method': 'POST' };
    const preflight = await fetch(address, { method: 'OPTIONS', headers });
    expect(preflight.status).toBe(200);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('http://localhost:3000');
    expect((await fetch(address)).status).toBe(405);
  });

  it("accepts a call that offers a protocol upgrade, as Java's HTTP clients do", async () => {
    for (const address of [node().ready.ws, node().ready.http].map(toHttp)) {
      const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAEAAEAA' };
      expect((await postAs(address, headers)).text).toContain('"result":"Tabnode"');
    }
  });
});

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

describe('--ws-port and --rpc-port with the same number', () => {
  const running: TestProcess[] = [];
  afterAll(async () => {
    for (const one of running) one.kill('SIGTERM');
    await Promise.all(running.map(({ ended }) => ended));
  });
  const startShared = async (...args: readonly string[]): Promise<Ready> => {
    const port = String(await freePort());
    const node = startProcess(
      'serve',
      '--dev',
      '--json',
      '--seal=manual',
      `--ws-port=${port}`,
      `--rpc-port=${port}`,
      ...args,
    );
    running.push(node);
    const ready = JSON.parse(await node.firstLine) as Ready;
    expect([new URL(ready.ws).port, new URL(ready.http).port]).toEqual([port, port]);
    return ready;
  };

  it('open one listener, and the ready line names both addresses', async () => {
    const ready = await startShared();
    expect(ready).toMatchObject({
      ws: expect.stringMatching('^ws://'),
      http: expect.stringMatching('^http://'),
    });
    expect(await callHttp(ready.http, 'chain_getBlockHash', [0])).toBe(ready.genesisHash);
    expect(await callSocket(ready.ws, 'chain_getBlockHash', [0])).toMatchObject({
      result: ready.genesisHash,
    });
    expect(await callHttp(ready.http, 'dev_exportChain')).toBeDefined();
  });

  it('deny unsafe calls of both kinds if one of them is external', async () => {
    const ready = await startShared('--ws-external');
    const http = ready.http.replace('0.0.0.0', '127.0.0.1');
    const denied = { error: { code: -32601, message: 'RPC call is unsafe to be called externally' } };
    for (const method of [
      'engine_createBlock',
      'dev_exportChain',
      'system_peers',
      'author_submitExtrinsic',
    ]) {
      const params =
        method === 'engine_createBlock' ? [true, false] : method.startsWith('author') ? ['0x00'] : [];
      for (const dialect of ['psp-6', 'polkadot-sdk']) {
        const path = `/?dialect=${dialect}`;
        expect(await (await post(http + path, bodyOf(method, params))).json()).toMatchObject(denied);
        expect(await callSocket(toWs(http) + path, method, params)).toMatchObject(denied);
      }
    }
    expect(await callHttp(http, 'system_name')).toBe('Tabnode');
  });
});
