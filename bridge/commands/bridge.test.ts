import { beforeAll, describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { callSocket, nextTexts, openSocket, refusedSocket } from '../clients/socket-clients.fixture.ts';
import { bodyOf, callHttp, post } from '../clients/test-clients.fixture.ts';
import { openPage, sharedNode, startBridge, withOrigin } from '../pages/bridge.fixture.ts';

beforeAll(() => withOrigin());
const node = sharedNode();

/** A bridge with one page that its user has approved. */
const startPaired = async (given: Partial<Parameters<typeof openPage>[0]> = {}) => {
  const bridge = await startBridge();
  const { openPort } = await node;
  const secret = { kind: 'code', value: bridge.newCode() } as const;
  const page = openPage({ url: bridge.ws, secret, openPort, ...given });
  const address = await page.serving;
  return { bridge, page, address, openPort };
};

const closeOf = (socket: WebSocket): Promise<string> =>
  new Promise((resolve) => socket.once('close', (code, reason) => resolve(`${code} ${reason}`)));

describe('a page behind a bridge', () => {
  it('is served over WebSocket and HTTP at the first address and at its own', async () => {
    const { bridge, address } = await startPaired();
    expect(address.ws).toBe(`${bridge.ws}/Development`);
    for (const ws of [bridge.ws, address.ws, `${bridge.ws}/development`])
      expect((await callSocket(ws, 'system_chain')).result).toBe('Development');
    for (const http of [bridge.http, address.http])
      expect(await callHttp(http, 'system_chain')).toBe('Development');
    const { chains } = (await (await fetch(bridge.http)).json()) as { chains: object[] };
    expect(chains).toMatchObject([{ name: 'Development', ws: address.ws, http: address.http }]);
  });

  it('carries subscriptions, batches and both dialects', async () => {
    const { bridge } = await startPaired();
    const socket = await openSocket(bridge.ws);
    const first = nextTexts(socket, 2);
    socket.send(bodyOf('chain_subscribeNewHeads'));
    expect((await first).map((text) => Object.keys(JSON.parse(text) as object))).toMatchObject([
      ['jsonrpc', 'id', 'result'],
      ['jsonrpc', 'method', 'params'],
    ]);
    const batch = await post(bridge.http, `[${bodyOf('system_name')},${bodyOf('system_version', [], 2)}]`);
    expect(await batch.json()).toHaveLength(2);
    const heard = nextTexts(socket, 2);
    socket.send(bodyOf('dev_newBlock'));
    expect((await heard).some((text) => text.includes('chain_newHead'))).toBe(true);
    socket.close();
  });

  it('gets 503 before it is connected, and its clients are closed when it leaves', async () => {
    const { bridge, page } = await startPaired();
    const socket = await openSocket(bridge.ws);
    const closed = closeOf(socket);
    page.link.close(true);
    expect(await closed).toBe('1001 The page that runs this node ended this connection');
    await bridge.told('-Development');
    expect(await refusedSocket(bridge.ws, {})).toMatchObject({ status: 503 });
    expect(await refusedSocket(`${bridge.ws}/Other`, {})).toMatchObject({ status: 503 });
    expect((await post(bridge.http, bodyOf('system_name'))).status).toBe(503);
  });

  it('shows its user each client, and can disconnect it', async () => {
    const { bridge, page } = await startPaired();
    const socket = await openSocket(bridge.ws, { 'user-agent': 'probe/1' });
    const answer = nextTexts(socket, 1);
    socket.send(bodyOf('system_name'));
    await answer;
    expect(page.clients()).toMatchObject([{ transport: 'ws', agent: 'probe/1', unsafe: true }]);
    const closed = closeOf(socket);
    page.link.disconnect(page.clients()[0]?.id);
    expect(await closed).toBe('1001 The page that runs this node ended this connection');
    expect(page.clients()).toEqual([]);
  });

  it('refuses unsafe calls unless its user allows them', async () => {
    let allows = false;
    const { bridge } = await startPaired({ allowsUnsafe: () => allows });
    expect((await callSocket(bridge.ws, 'dev_newBlock')).error?.code).toBe(-32601);
    expect((await callSocket(bridge.ws, 'system_name')).error).toBeUndefined();
    allows = true;
    expect((await callSocket(bridge.ws, 'dev_newBlock')).error).toBeUndefined();
  });
});

describe('the address without a name', () => {
  it('stays with the first page, also while that page reloads', async () => {
    const { bridge, page, openPort } = await startPaired();
    const secret = { kind: 'token', value: page.tokens[0] ?? '' } as const;
    const other = openPage({ url: bridge.ws, secret, openPort, tab: 'tab-2', name: 'Other' });
    await other.serving;
    page.link.close(false);
    await bridge.told('-Development');
    expect((await post(bridge.http, bodyOf('system_chain'))).status).toBe(503);
    expect(await callHttp(`${bridge.http}/Other`, 'system_chain')).toBe('Development');
    const again = openPage({ url: bridge.ws, secret, openPort });
    await again.serving;
    const socket = await openSocket(bridge.ws);
    const left = closeOf(socket);
    again.link.close(false);
    expect(await left).toBe('1001 The page that runs this node is gone');
  });
});

describe('pairing', () => {
  it('accepts a code once, and then the token of the same origin', async () => {
    const { bridge, page, openPort } = await startPaired();
    const [token = ''] = page.tokens;
    page.link.close(true);
    await bridge.told('-Development');
    const again = openPage({ url: bridge.ws, secret: { kind: 'token', value: token }, openPort });
    expect((await again.serving).name).toBe('Development');
    withOrigin('https://other.example');
    const thief = openPage({ url: bridge.ws, secret: { kind: 'token', value: token }, openPort });
    withOrigin();
    expect(await thief.ended).toBe('4401 This page is not paired with this bridge');
  });

  it('refuses a wrong, used or replaced code', async () => {
    const bridge = await startBridge();
    const { openPort } = await node;
    const tryCode = (value: string) =>
      openPage({ url: bridge.ws, secret: { kind: 'code', value }, openPort, tab: value });
    const refusal = '4401 The pairing code is wrong, used or expired';
    const first = bridge.newCode();
    const second = bridge.newCode();
    expect(await tryCode(first).ended).toBe(refusal);
    expect(await tryCode('guessed').ended).toBe(refusal);
    await tryCode(second).serving;
    expect(await tryCode(second).ended).toBe(refusal);
    expect(bridge.events).toContain('!The pairing code is wrong, used or expired');
  });

  it('uses a code up only on approval: the page may reload while its user is asked', async () => {
    const bridge = await startBridge();
    const { openPort } = await node;
    const secret = { kind: 'code', value: bridge.newCode() } as const;
    const asked = Promise.withResolvers<void>();
    const first = openPage({
      url: bridge.ws,
      secret,
      openPort,
      agree: () => {
        asked.resolve();
        return new Promise(() => undefined);
      },
    });
    await asked.promise;
    first.link.close(false);
    const again = openPage({ url: bridge.ws, secret, openPort });
    expect((await again.serving).name).toBe('Development');
  });

  it('does not serve a page whose user declines', async () => {
    const bridge = await startBridge();
    const { openPort } = await node;
    const secret = { kind: 'code', value: bridge.newCode() } as const;
    const page = openPage({ url: bridge.ws, secret, openPort, agree: async () => false });
    expect(await page.ended).toBe('4403 The user declined');
    await bridge.told('!The user declined');
    const again = openPage({ url: bridge.ws, secret, openPort });
    expect(await again.ended).toMatch(/^4401 /);
    expect((await post(bridge.http, bodyOf('system_name'))).status).toBe(503);
  });

  it('gives two tabs different names, and a reloaded tab its previous one', async () => {
    const { bridge, page, openPort } = await startPaired();
    const secret = { kind: 'token', value: page.tokens[0] ?? '' } as const;
    const other = openPage({ url: bridge.ws, secret, openPort, tab: 'tab-2' });
    expect((await other.serving).name).toBe('Development-2');
    page.link.close(true);
    await bridge.told('-Development');
    const third = openPage({ url: bridge.ws, secret, openPort, tab: 'tab-3' });
    expect((await third.serving).name).toBe('Development-3');
    const again = openPage({ url: bridge.ws, secret, openPort });
    expect((await again.serving).name).toBe('Development');
  });
});
