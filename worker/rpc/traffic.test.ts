import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/protocol/json.ts';
import { trafficResults } from '../../src/protocol/rpc/results/traffic.ts';
import type { ConnectionOptions } from './connection.ts';
import { createFakeNode } from './fake-parts.fixture.ts';
import { createRpcServer } from './server.ts';

type Item = { kind: string; connection: number; text: string; [name: string]: unknown };
type Batch = { items: Item[]; dropped: number };

/** A server whose clock the test controls: nothing is sent to listeners before `flush`. */
const open = () => {
  const fake = createFakeNode();
  let sleepers: (() => void)[] = [];
  let lastId = 0;
  const clock = {
    now: () => 5,
    sleep: () => new Promise<void>((resolve) => sleepers.push(resolve)),
    random: () => 0,
  };
  const server = createRpcServer(fake.parts, { clock, createId: () => `id${++lastId}` });
  const connect = (options: Partial<ConnectionOptions> = {}) => {
    const sent: string[] = [];
    const connection = server.connect((text) => sent.push(text), {
      dialect: 'psp-6',
      denyUnsafe: false,
      transport: 'port',
      ...options,
    });
    const ask = async (method: string, params: unknown = [], id: unknown = 1) =>
      (await connection.handle(JSON.stringify({ jsonrpc: '2.0', id, method, params }))) ?? '';
    return { connection, sent, ask };
  };
  const flush = async (): Promise<void> => {
    for (const wake of sleepers.splice(0)) wake();
    await new Promise((resolve) => setTimeout(resolve, 0));
  };
  const listen = async (params: unknown[] = []) => {
    const listener = connect();
    const id = (parseJson(await listener.ask('dev_subscribeTraffic', params)) as { result: string }).result;
    const read = async (): Promise<Batch[]> => {
      await flush();
      return listener.sent.splice(0).map((text) => {
        const { method, params: note } = parseJson(text) as {
          method: string;
          params: { subscription: string; result: Batch };
        };
        expect([method, note.subscription]).toEqual(['dev_traffic', id]);
        expect(trafficResults.dev_subscribeTraffic.schema.safeParse(note.result).error).toBe(undefined);
        return note.result;
      });
    };
    const items = async () => (await read()).flatMap((batch) => batch.items);
    return { ...listener, id, read, items };
  };
  return {
    ...fake,
    connect,
    listen,
    flush,
    waiting: () => sleepers.length,
    end: () => {
      sleepers = [];
    },
  };
};

describe('the traffic of all clients', () => {
  it('shows a request with its response, in one batch, to other clients only', async () => {
    const { connect, listen } = open();
    const listener = await listen();
    const other = connect({ transport: 'ws', dialect: 'polkadot-sdk' });
    const answer = await other.ask('system_chain', [], 'a"b');
    await listener.ask('system_name');
    const [batch, ...more] = await listener.read();
    expect(more).toEqual([]);
    expect(batch?.dropped).toBe(0);
    const common = {
      connection: 2,
      transport: 'ws',
      dialect: 'polkadot-sdk',
      call: 1,
      id: '"a\\"b"',
      method: 'system_chain',
      subscription: null,
      isError: false,
    };
    const request = '{"jsonrpc":"2.0","id":"a\\"b","method":"system_chain","params":[]}';
    expect(batch?.items).toMatchObject([
      { ...common, kind: 'request', ms: null, length: request.length, text: request },
      { ...common, kind: 'answer', ms: 0, length: answer.length, text: answer },
    ]);
  });

  it('links a subscription to its notifications and its end, and reports a client that disconnects', async () => {
    const { connect, listen, grow } = open();
    const listener = await listen();
    const other = connect();
    await other.ask('chain_subscribeNewHeads');
    grow();
    await other.ask('chain_unsubscribeNewHeads', ['id2']);
    other.connection.close();
    other.connection.close();
    const items = await listener.items();
    expect(items.map(({ kind, subscription }) => [kind, subscription])).toEqual([
      ['request', null],
      ['answer', 'id2'],
      ['notification', 'id2'],
      ['notification', 'id2'],
      ['request', 'id2'],
      ['answer', 'id2'],
      ['close', null],
    ]);
    expect(items[2]).toMatchObject({ method: 'chain_newHead', call: null });
  });

  it('splits batches, marks errors, and shows unreadable texts', async () => {
    const { connect, listen } = open();
    const listener = await listen();
    const other = connect({ limits: { maxRequestBytes: 150 } });
    await other.connection.handle(
      '[{"jsonrpc":"2.0","id":1,"method":"system_chain"},{"jsonrpc":"2.0","id":2,"method":"a_b","params":[7]}]',
    );
    await other.connection.handle('{broken');
    await other.connection.handle(`"${' '.repeat(150)}`);
    const items = await listener.items();
    expect(items.map(({ kind, id, isError }) => [kind, id, isError])).toEqual([
      ['request', '1', false],
      ['answer', '1', false],
      ['request', '2', false],
      ['answer', '2', true],
      ['request', 'null', false],
      ['answer', 'null', true],
      ['request', 'null', false],
      ['answer', 'null', true],
    ]);
    // The parameters of unknown methods are hidden: the name may be misspelled.
    expect(items[2]?.text).toBe('{"jsonrpc":"2.0","id":2,"method":"a_b","params":"(hidden)"}');
    expect(items[4]?.text).toBe('{broken');
  });

  it('never shows a secret, in any form of message', async () => {
    const { connect, listen } = open();
    const listener = await listen([null, true]);
    const other = connect();
    const suri = 'bottom drive obey lake curtain smoke basket hold race lonely fit walk';
    await other.ask('author_insertKey', ['babe', suri, '0x00']);
    await other.ask('author_insertKey', { suri, key_type: 'babe' });
    await other.connection.handle(
      `[{"jsonrpc":"2.0","id":3,"method":"author_insertKey","params":["${suri}"]}]`,
    );
    await other.connection.handle(`{"jsonrpc":"2.0","id":4,"method":"author_insertKey","params":["${suri}"`);
    await listener.ask('author_insertKey', ['babe', suri, '0x00']);
    for (const method of [
      'author_InsertKey',
      'author_insertkey',
      'insertKey',
      'author.insert_key',
      'nothing',
    ])
      await other.ask(method, ['babe', suri, '0x00']);
    const written = ['AUTHOR_INSERTKEY', 'author\\u005finsertKey', 'author_\\u0049nsertKey', 'insert_key'];
    for (const method of written)
      await other.connection.handle(`{"jsonrpc":"2.0","id":5,"method":"${method}","params":["${suri}"`);
    const items = await listener.items();
    expect(items.length).toBeGreaterThanOrEqual(10);
    expect(items.filter(({ kind, text }) => kind === 'request' && text.includes('(hidden)'))).toHaveLength(
      14,
    );
    expect(JSON.stringify(items)).not.toContain('drive');
  });

  it('omits its own notifications, and does nothing without listeners', async () => {
    const { listen, connect, waiting } = open();
    const first = await listen([null, true]);
    const second = await listen([null, true]);
    await first.items();
    await second.items();
    await first.items();
    expect(await second.items()).toEqual([]);
    expect(await first.items()).toEqual([]);
    expect(await first.ask('dev_unsubscribeTraffic', [first.id])).toContain('true');
    second.connection.close();
    await first.items();
    await connect().ask('system_chain');
    expect(waiting()).toBe(0);
    expect(await first.items()).toEqual([]);
  });

  it('truncates texts, and counts messages that do not fit in a batch', async () => {
    const { connect, listen } = open();
    const listener = await listen([10]);
    const other = connect();
    for (let call = 0; call < 600; call++) await other.ask('system_chain', [], call);
    const [batch] = await listener.read();
    expect(batch?.items).toHaveLength(1000);
    expect(batch?.dropped).toBe(200);
    expect(batch?.items[0]).toMatchObject({ text: '{"jsonrpc"', length: 60 });
    await other.ask('system_chain');
    expect(await listener.read()).toMatchObject([{ dropped: 0 }]);
  });

  it('sends what it has collected before the response that ends it', async () => {
    const { connect, listen, flush } = open();
    const listener = await listen();
    await connect().ask('system_chain');
    const text = `{"jsonrpc":"2.0","id":7,"method":"dev_unsubscribeTraffic","params":["${listener.id}"]}`;
    listener.connection.receive(text);
    await connect().ask('system_chain');
    await flush();
    const [batch, ...more] = listener.sent.splice(0).map((one) => parseJson(one));
    expect(batch).toMatchObject({ params: { result: { items: [{ kind: 'request' }, { kind: 'answer' }] } } });
    expect(more).toEqual([{ jsonrpc: '2.0', id: 7, result: true }]);
  });

  it('is unsafe', async () => {
    const { connect } = open();
    expect(await connect({ denyUnsafe: true }).ask('dev_subscribeTraffic')).toContain('-32601');
  });
});
