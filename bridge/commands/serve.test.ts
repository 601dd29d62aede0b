import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/protocol/json.ts';
import { serving } from '../clients/serving.fixture.ts';
import { nextTexts, openSocket } from '../clients/socket-clients.fixture.ts';
import { bodyOf, callHttp, post, postAs } from '../clients/test-clients.fixture.ts';

describe('tabnode serve', () => {
  const node = serving('--tmp', '--seal', 'manual');

  it('prints exactly this line when it is ready', async () => {
    expect(JSON.parse(await node().firstLine)).toEqual({
      event: 'ready',
      ws: expect.stringMatching(/^ws:\/\/127\.0\.0\.1:\d+$/),
      http: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      genesisHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      bestNumber: 0,
    });
  });

  it('responds over HTTP and over WebSocket', async () => {
    const genesis = await callHttp(node().ready.http, 'chain_getBlockHash', [0]);
    expect(genesis).toBe(node().ready.genesisHash);
    const socket = await openSocket(node().ready.ws);
    const answer = nextTexts(socket, 1);
    socket.send(bodyOf('chain_getBlockHash', [0], 'a'));
    expect(JSON.parse((await answer)[0] as string)).toEqual({ jsonrpc: '2.0', id: 'a', result: genesis });
    socket.close();
  });

  it('sends notifications over WebSocket and refuses subscriptions over HTTP', async () => {
    const socket = await openSocket(node().ready.ws);
    const texts = nextTexts(socket, 2);
    socket.send(bodyOf('chain_subscribeNewHeads'));
    const [opened, first] = (await texts).map((text) => JSON.parse(text));
    expect(first).toMatchObject({ method: 'chain_newHead', params: { subscription: opened.result } });
    socket.close();
    const refused = await (await post(node().ready.http, bodyOf('chain_subscribeNewHeads'))).json();
    expect(refused).toMatchObject({ id: 1, error: { code: -32603 } });
  });

  it('describes itself', async () => {
    const text = readFileSync(new URL('../../docs/openrpc.json', import.meta.url), 'utf8');
    expect(await callHttp(node().ready.http, 'rpc.discover')).toEqual(JSON.parse(text));
  });

  it('distinguishes simultaneous requests with the same id', async () => {
    const numbers = Array.from({ length: 20 }, (_, index) => index % 2);
    const answers = await Promise.all(
      numbers.map((number) => callHttp(node().ready.http, 'chain_getBlockHash', [number])),
    );
    expect(answers).toEqual(numbers.map((number) => (number === 0 ? node().ready.genesisHash : null)));
  });

  it('returns an empty body if all calls are notifications', async () => {
    const response = await post(node().ready.http, '{"jsonrpc":"2.0","method":"system_name"}');
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  it('takes the dialect from the URL', async () => {
    const blockOf = async (query: string): Promise<object> =>
      (await callHttp(`${node().ready.http}/${query}`, 'chain_getBlock', [])) as object;
    expect(await blockOf('')).toHaveProperty('justification');
    expect(await blockOf('?dialect=polkadot-sdk')).not.toHaveProperty('justification');
    expect((await post(`${node().ready.http}/?dialect=klingon`, bodyOf('system_name'))).status).toBe(400);
    await expect(openSocket(`${node().ready.ws}/?dialect=klingon`)).rejects.toThrow('400');
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
    const response = await fetch(node().ready.http, {
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
  ])('HTTP %s %s returns the health', async (method, path, status, text) => {
    const response = await fetch(node().ready.http + path, { method });
    expect([response.status, await response.text()]).toEqual([status, text]);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('refuses a byte order mark', async () => {
    const body = `\uFEFF${bodyOf('system_name')}`;
    const socket = await openSocket(node().ready.ws);
    const answer = nextTexts(socket, 1);
    socket.send(body);
    expect(await answer).toEqual([
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}',
    ]);
    socket.close();
    expect((await post(node().ready.http, body)).status).toBe(400);
  });

  it('reads the id of a body that is not UTF-8, like a native node', async () => {
    const ask = async (text: string, query = '?dialect=polkadot-sdk') => {
      // One byte per character: ÿ is 0xff, which is never valid in UTF-8.
      const body = Uint8Array.from(text, (character) => character.charCodeAt(0));
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${node().ready.http}/${query}`, { method: 'POST', headers, body });
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
    // A large body is not read for its id.
    expect(await ask(call.replace('ÿ', `ÿ${'a'.repeat(100_000)}`))).toEqual([200, null, -32700]);
  });

  it('refuses bodies above 15 MiB on both, and continues', async () => {
    const big = `{"jsonrpc":"2.0","id":1,"method":"system_name","params":["${'a'.repeat(15 * 1024 * 1024)}"]}`;
    const response = await post(node().ready.http, big);
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ id: null, error: { code: -32007 } });
    const socket = await openSocket(node().ready.ws);
    const texts = nextTexts(socket, 2);
    socket.send(big);
    socket.send(bodyOf('system_name', [], 2));
    expect((await texts).map((text) => JSON.parse(text).error?.code)).toEqual([-32007, undefined]);
    socket.close();
  });

  it.each(['//', '///', '/\\', '//[', 'http://', '//[?dialect=psp-6'])(
    'treats the path %s like any other',
    async (path) => {
      const { status, text } = await postAs(node().ready.http, {}, bodyOf('system_name'), path);
      expect([status, JSON.parse(text)]).toEqual([200, { jsonrpc: '2.0', id: 1, result: 'Tabnode' }]);
    },
  );
});
