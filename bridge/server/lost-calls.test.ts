import { beforeAll, expect, it } from 'vitest';
import { readIds } from '../../src/protocol/request-ids.ts';
import { nextTexts, openSocket } from '../clients/socket-clients.fixture.ts';
import { bodyOf, callHttp, post } from '../clients/test-clients.fixture.ts';
import { openPage, sharedNode, startBridge, withOrigin } from '../pages/bridge.fixture.ts';
import { createPendingCalls } from './pending-calls.ts';

beforeAll(() => withOrigin());
const node = sharedNode();

const gone = { code: -32000, message: 'The page that runs this node is gone', data: 'Disconnected' };

/** A page whose node receives everything and replies to nothing while it hangs. */
const startHanging = async (pageCallMs?: number) => {
  const bridge = await startBridge(pageCallMs === undefined ? {} : { pageCallMs });
  const { openPort } = await node;
  const heard: string[] = [];
  let wake = (): void => undefined;
  let isHanging = false;
  const page = openPage({
    url: bridge.ws,
    secret: { kind: 'code', value: bridge.newCode() },
    openPort: async (options) => {
      const port = await openPort(options);
      const deliver = port.postMessage.bind(port);
      port.postMessage = (data: unknown) => {
        const text = typeof data === 'string' ? data : (data as { readonly text?: string }).text;
        if (!isHanging || text === undefined) return deliver(data);
        heard.push(text);
        wake();
      };
      return port;
    },
  });
  await page.serving;
  return {
    bridge,
    page,
    hang: () => {
      isHanging = true;
    },
    /** Resolves once the page has received this many texts without replying. */
    hears: async (count: number): Promise<void> => {
      while (heard.length < count)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    },
  };
};

it('each pending call of a WebSocket gets an error when the page leaves, and then the close', async () => {
  const { bridge, page, hang, hears } = await startHanging();
  const socket = await openSocket(bridge.ws);
  const answered = nextTexts(socket, 4);
  for (const id of [7, 'x', 7]) socket.send(bodyOf('system_name', [], id));
  socket.send(`[${bodyOf('system_name', [], 'x')},{"jsonrpc":"2.0","method":"system_name"}]`);
  await answered;
  hang();
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const lost = nextTexts(socket, 4);
  for (const id of [7, 7, '\u20ac"']) socket.send(bodyOf('system_name', [], id));
  socket.send(`[${bodyOf('system_name', [], 1)},{"jsonrpc":"2.0","method":"x"},${bodyOf('x', [], 2)}]`);
  await hears(4);
  page.link.close(false);
  const one = (id: unknown) => ({ jsonrpc: '2.0', id, error: gone });
  expect((await lost).map((text) => JSON.parse(text) as unknown)).toEqual([
    one(7),
    one(7),
    one('\u20ac"'),
    [one(1), one(2)],
  ]);
  expect(await closed).toBe(1001);
});

it('pending calls of a client that the user disconnects get an error that says so', async () => {
  const { bridge, page, hang, hears } = await startHanging();
  const socket = await openSocket(bridge.ws);
  const answered = nextTexts(socket, 1);
  socket.send(bodyOf('system_name'));
  await answered;
  hang();
  const lost = nextTexts(socket, 1);
  socket.send(bodyOf('system_name', [], 2));
  await hears(1);
  page.link.disconnect(page.clients()[0]?.id);
  expect(JSON.parse((await lost)[0] ?? '')).toMatchObject({
    id: 2,
    error: { message: 'The page that runs this node ended this connection' },
  });
});

it('a client without pending calls gets only the close, after responses and notifications', async () => {
  const { bridge, page } = await startHanging();
  const socket = await openSocket(bridge.ws);
  const texts: string[] = [];
  socket.on('message', (data: Uint8Array) => texts.push(new TextDecoder().decode(data)));
  const subscribed = nextTexts(socket, 2);
  socket.send(bodyOf('chain_subscribeNewHeads'));
  await subscribed;
  const closed = new Promise((resolve) => socket.once('close', resolve));
  page.link.close(false);
  expect(await closed).toBe(1001);
  expect(texts).toHaveLength(2);
});

it('calls over HTTP get an error with the ids when the page leaves', async () => {
  const { bridge, page, hang, hears } = await startHanging();
  expect(await callHttp(bridge.http, 'system_chain')).toBe('Development');
  hang();
  const called = [
    post(bridge.http, bodyOf('system_name', [], 'x')),
    post(bridge.http, `[${bodyOf('x', [], 5)}]`),
  ];
  await hears(2);
  page.link.close(false);
  const [single, batch] = await Promise.all(called);
  expect(single?.status).toBe(503);
  expect(await single?.json()).toEqual({ jsonrpc: '2.0', id: 'x', error: gone });
  expect(batch?.status).toBe(503);
  expect(await batch?.json()).toEqual([{ jsonrpc: '2.0', id: 5, error: gone }]);
});

it('a call over HTTP to a page that hangs ends, and the next one is answered', async () => {
  const { bridge, hang } = await startHanging(200);
  expect(await callHttp(bridge.http, 'system_chain')).toBe('Development');
  hang();
  const late = await post(bridge.http, bodyOf('system_name', [], 3));
  expect(late.status).toBe(504);
  expect(await late.json()).toEqual({
    jsonrpc: '2.0',
    id: 3,
    error: { ...gone, message: 'The page that runs this node does not respond' },
  });
});

it.each([
  ['{"jsonrpc":"2.0","id":1,"method":"a","params":[]}', ['1'], false],
  ['{"id":"1-1","jsonrpc":"2.0","method":"a"}', ['"1-1"'], false],
  ['{"jsonrpc":"2.0","method":"a","params":[],"id":12345678901234567890}', ['12345678901234567890'], false],
  [' {"method":"a","id":"\\u0041\\n"}', ['"A\\n"'], false],
  ['[{"id":1},{"id":null},{},3,{"id":"2"}]', ['1', '"2"'], true],
  ['{"jsonrpc":"2.0","method":"a"}', [], false],
  [`{"method":"a","id":"${'x'.repeat(400)}"}`, [], false],
  ['{"id":', [], false],
  ['null', [], false],
  [`${'['.repeat(10_000)}${']'.repeat(10_000)}`, [], true],
  [`[{"id":1},${' '.repeat(100_000)}{"id":2}]`, ['1', '2'], true],
  [`[${'{},'.repeat(300_000)}{"id":1}]`, [], false],
  [`{"params":[${'[],'.repeat(300_000)}0],"id":1}`, ['1'], false],
  [`{"id" : 1, "params":[${'[],'.repeat(300_000)}0]}`, [], false],
  [`{"params":[${'[],'.repeat(300_000)}{"a":0,"id":1}]}`, [], false],
  [`{"params":{"b":[${'[],'.repeat(300_000)}0],"id":1}}`, [], false],
  [`[${'{},'.repeat(300_000)}{"a":0,"id":1}]`, [], false],
])('reads the ids of a text: %.60s', (text, ids, isBatch) => {
  expect(readIds(text)).toEqual({ ids, isBatch });
});

it('remembers no more calls than a node takes', () => {
  const calls = createPendingCalls(3);
  for (const id of [1, 2, 3, 4]) calls.sent(bodyOf('a', [], id));
  calls.answered('{"jsonrpc":"2.0","id":2,"result":null}');
  calls.answered('{"jsonrpc":"2.0","id":9,"result":null}');
  calls.sent(bodyOf('a', [], 5));
  const ids = calls.fail('gone').map((text) => (JSON.parse(text) as { readonly id: number }).id);
  expect(ids).toEqual([1, 3, 5]);
  expect(calls.fail('gone')).toEqual([]);
});

it('forgets a batch that the node refused as a whole, which has no id', () => {
  const calls = createPendingCalls(3);
  calls.sent(bodyOf('a', [], 1));
  calls.sent(`[${bodyOf('a', [], 2)},${bodyOf('a', [], 3)}]`);
  calls.answered(
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32010,"message":"The batch request was too large"}}',
  );
  calls.sent(bodyOf('a', [], 4));
  const ids = calls.fail('gone').map((text) => (JSON.parse(text) as { readonly id: number }).id);
  expect(ids).toEqual([1, 4]);
});
