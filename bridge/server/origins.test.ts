import { describe, expect, it } from 'vitest';
import { type Served, serving } from '../clients/serving.fixture.ts';
import { callSocket, refusedSocket } from '../clients/socket-clients.fixture.ts';
import { bodyOf, callHttp, post, postAs } from '../clients/test-clients.fixture.ts';
import { startServe } from '../clients/test-process.fixture.ts';

type Answer = { readonly result?: unknown; readonly error?: { readonly message: string } };

const addressesOf = ({ ready }: Served): readonly string[] => [ready.ws, ready.http];
const toHttp = (address: string): string => address.replace(/^ws:/, 'http:');
const toWs = (address: string): string => address.replace(/^http:/, 'ws:');

/** The responses to a call from a page of this origin, over WebSocket and HTTP, at both addresses. */
const callFrom = async (
  node: Served,
  origin: string,
  method: string,
  params: readonly unknown[] = [],
  query = '',
): Promise<readonly Answer[]> => {
  const answers: Answer[] = [];
  for (const address of addressesOf(node)) {
    const response = await post(`${toHttp(address)}/${query}`, bodyOf(method, params), { origin });
    expect(response.headers.get('access-control-allow-origin')).toBe(origin);
    answers.push((await response.json()) as Answer);
    answers.push(await callSocket(`${toWs(address)}/${query}`, method, params, { origin }));
  }
  return answers;
};

const createBlock = ['engine_createBlock', [true, false]] as const;
const refusal = 'RPC call is unsafe to be called externally';
const denied: readonly string[] = Array(4).fill(refusal);
const foreign = ['https://evil.example', 'http://localhost.evil.example', 'http://127.0.0.3:8080', 'null'];

describe.each([['--dev'], ['--tmp']])('serve %s', (flag) => {
  const node = serving('--seal', 'manual', flag);

  it.each(['http://localhost:3000', 'http://127.0.0.1:5173', 'http://[::1]:8080'])(
    'lets a page of %s make every call',
    async (origin) => {
      const answers = await callFrom(node(), origin, ...createBlock);
      expect(answers.map(({ result }) => typeof result)).toEqual(Array(4).fill('object'));
    },
  );

  it.each([
    'https://polkadot.js.org',
    'https://dev.papi.how',
    'chrome-extension://mopnmbcafieddcagagdcbnhejhlodfdd',
  ])('lets %s make safe calls, whichever dialect it requests', async (origin) => {
    for (const query of ['', '?dialect=psp-6', '?dialect=polkadot-sdk']) {
      for (const [method, params] of [
        createBlock,
        ['dev_fund', [`0x${'00'.repeat(32)}`, '1']],
        ['author_rotateKeys', []],
        ['dev_reset', []],
        ['system_peers', []],
      ] as const)
        expect(
          (await callFrom(node(), origin, method, params, query)).map(({ error }) => error?.message),
        ).toEqual(denied);
      for (const [method, params] of [
        ['system_name', []],
        ['state_getKeysPaged', ['0x', 1]],
      ] as const) {
        const answers = await callFrom(node(), origin, method, params, query);
        expect(answers.map(({ error }) => error)).toEqual(Array(4).fill(undefined));
      }
    }
  });

  it.each(foreign)('refuses a page of %s with a message, and does not execute its calls', async (origin) => {
    const best = await callHttp(node().ready.http, 'chain_getHeader');
    const words = expect.stringMatching(`^Pages of ${origin} may not call this node. .*--rpc-cors all`);
    for (const address of addressesOf(node())) {
      const refused = { status: 403, text: words };
      expect(await postAs(toHttp(address), { origin }, bodyOf(...createBlock))).toEqual(refused);
      expect(await refusedSocket(toWs(address), { origin })).toEqual(refused);
      const headers = { origin, 'access-control-request-method': 'POST' };
      const preflight = await fetch(toHttp(address), { method: 'OPTIONS', headers });
      expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([403, null]);
    }
    expect(await callHttp(node().ready.http, 'chain_getHeader')).toEqual(best);
  });

  it('refuses a Host that is not of this machine, and two Host headers', async () => {
    for (const address of addressesOf(node())) {
      expect(await postAs(toHttp(address), { host: 'localhost:1' })).toMatchObject({ status: 200 });
      for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:9944']) {
        expect(await postAs(toHttp(address), { host })).toMatchObject({ status: 403 });
        expect(await refusedSocket(toWs(address), { host })).toMatchObject({ status: 403 });
      }
      const two = await postAs(toHttp(address), ['Host', 'localhost', 'Host', 'evil.example']);
      expect(two).toEqual({ status: 400, text: 'The request has more than one Host header.\n' });
    }
  });
});

describe('serve --dev --rpc-cors all', () => {
  const node = serving('--seal', 'manual', '--dev', '--rpc-cors', 'all');

  it.each(foreign)('lets a page of %s make every call', async (origin) => {
    for (const address of addressesOf(node())) {
      const headers = { origin, host: 'evil.example' };
      const { text } = await postAs(toHttp(address), headers, bodyOf(...createBlock));
      expect(JSON.parse(text)).toMatchObject({ result: { hash: expect.any(String) } });
      const answer = await callSocket(toWs(address), ...createBlock, headers);
      expect(answer).toMatchObject({ result: { hash: expect.any(String) } });
    }
  });
});

describe('an external address', () => {
  const node = serving('--seal', 'manual', '--tmp', '--rpc-external', '--ws-external');

  it('denies every client the calls that either dialect marks as unsafe, and those that build blocks', async () => {
    const { ws, http } = { ws: node().ready.ws, http: node().ready.http };
    for (const dialect of ['psp-6', 'polkadot-sdk'])
      for (const [method, params] of [
        createBlock,
        ['engine_finalizeBlock', [node().ready.genesisHash]],
        ['author_submitExtrinsic', ['0x00']],
        ['state_getKeysPaged', ['0x', 1]],
        ['childstate_getKeys', ['0x', '0x']],
        ['offchain_localStorageGet', ['PERSISTENT', '0x00']],
        ['author_hasKey', ['0x00', 'babe']],
        ['system_peers', []],
        ['babe_epochAuthorship', []],
        ['state_subscribeStorage', []],
      ] as const) {
        const answer = await callSocket(
          `${ws.replace('0.0.0.0', '127.0.0.1')}/?dialect=${dialect}`,
          method,
          params,
        );
        expect([method, answer.error?.message]).toEqual([method, refusal]);
      }
    expect(await callHttp(http.replace('0.0.0.0', '127.0.0.1'), 'system_name')).toBe('Tabnode');
  });
});

describe('serve --rpc-methods safe', () => {
  it.each([
    ['psp-6', 'author_submitExtrinsic', 'system_peers'],
    ['polkadot-sdk', 'system_peers', 'state_getKeysPaged'],
  ])(
    '--dialect %s denies %s and not %s, whichever dialect a client requests',
    async (dialect, refused, allowed) => {
      const node = await startServe(
        '--tmp',
        '--seal',
        'manual',
        '--rpc-methods',
        'safe',
        '--dialect',
        dialect,
      );
      const params = { author_submitExtrinsic: ['0x00'], state_getKeysPaged: ['0x', 1] };
      const paramsOf = (method: string): readonly unknown[] => params[method as keyof typeof params] ?? [];
      for (const asked of ['psp-6', 'polkadot-sdk']) {
        const address = `${node.ready.ws}/?dialect=${asked}`;
        expect(await callSocket(address, refused, paramsOf(refused))).toMatchObject({
          error: { code: -32601 },
        });
        expect((await callSocket(address, allowed, paramsOf(allowed))).error).toBeUndefined();
      }
      node.kill('SIGTERM');
      await node.ended;
    },
  );
});
