import { describe, expect, it, vi } from 'vitest';
import { createClient } from './client.ts';
import { type Connection, createConnection } from './connection.ts';
import { JsonRpcError } from './protocol/json-rpc/json-rpc-error.ts';

/** The other end of a port, with responses written by the test. */
const open = () => {
  const { port1, port2 } = new MessageChannel();
  const received: unknown[] = [];
  port2.onmessage = ({ data }: { data: unknown }) => received.push(data);
  const connection: Connection = createConnection(port1);
  const settle = () => new Promise((resolve) => setTimeout(resolve, 20));
  const requests = () => received.filter((data): data is string => typeof data === 'string');
  return { connection, port: port2, received, requests, settle };
};

describe('a connection over a port', () => {
  it('sends texts and resolves with exact results', async () => {
    const { connection, port, requests, settle } = open();
    const fee = connection.request('payment_queryInfo', ['0x00']);
    await settle();
    expect(requests()).toEqual(['{"jsonrpc":"2.0","id":1,"method":"payment_queryInfo","params":["0x00"]}']);
    port.postMessage('{"jsonrpc":"2.0","id":1,"result":340282366920938463463374607431768211455}');
    expect(await fee).toBe(340282366920938463463374607431768211455n);
    connection.close();
  });

  it('rejects with the error from the node', async () => {
    const { connection, port } = open();
    const refused = connection.request('state_call', []);
    port.postMessage(
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid params","data":"No more params"}}',
    );
    await expect(refused).rejects.toEqual(new JsonRpcError(-32602, 'Invalid params', 'No more params'));
    connection.close();
  });

  it('rejects every pending call with one Disconnected error, and all later calls', async () => {
    const { connection, received, settle } = open();
    const reasons: unknown[] = [];
    connection.onClose((reason) => reasons.push(reason));
    const calls = [connection.request('a_b', []), connection.request('a_c', [])].map((call) =>
      call.catch((error: unknown) => error),
    );
    connection.close();
    connection.close();
    const errors = await Promise.all([
      ...calls,
      connection.request('a_d', []).catch((error: unknown) => error),
    ]);
    expect(new Set(errors).size).toBe(1);
    expect(errors[0]).toMatchObject({ code: 'Disconnected' });
    expect(reasons).toEqual([errors[0]]);
    expect(connection.isOpen()).toBe(false);
    await settle();
    expect(received).toContainEqual({ note: 'bye' });
  });

  it.each([
    ['author_extrinsicUpdate', '"ready"', '{"finalized":"0x00"}'],
    ['author_extrinsicUpdate', '{"inBlock":"0x00"}', '"invalid"'],
    ['transactionWatch_v1_watchEvent', '{"event":"validated"}', '{"event":"dropped"}'],
    ['chainHead_v1_followEvent', '{"event":"finalized"}', '{"event":"stop"}'],
    ['chainHead_v1_followEvent', '{"event":"operationStorageDone"}', '{"event":"stop"}'],
    ['archive_v1_storageEvent', '{"event":"storage"}', '{"event":"storageDone"}'],
    ['archive_v1_storageDiffEvent', '{"event":"storageDiff"}', '{"event":"storageDiffError"}'],
  ])('removes the listener of a subscription that the node ended: %s %s, %s', async (method, item, last) => {
    const { connection, port, settle } = open();
    const items: unknown[] = [];
    const opening = connection.subscribe('a_subscribe', [], (one) => items.push(one));
    port.postMessage('{"jsonrpc":"2.0","id":1,"result":"x"}');
    await opening;
    // Items after the last one have no listener.
    for (const result of [item, item, last, item])
      port.postMessage(
        `{"jsonrpc":"2.0","method":"${method}","params":{"subscription":"x","result":${result}}}`,
      );
    await settle();
    expect(items).toEqual([item, item, last].map((text) => JSON.parse(text)));
    connection.close();
  });

  it('notices that the other side has closed', async () => {
    const { connection, port } = open();
    const call = connection.request('a_b', []);
    port.close();
    await expect(call).rejects.toMatchObject({ code: 'Disconnected' });
  });

  it('rejects a call that has no JSON form, and sends nothing', async () => {
    const { connection, requests, settle } = open();
    const circle: unknown[] = [];
    circle.push(circle);
    await expect(connection.request('state_call', circle)).rejects.toThrow();
    await settle();
    expect(requests()).toEqual([]);
    connection.close();
  });

  it('aborts a call with its signal', async () => {
    const { connection, port, settle } = open();
    const abort = new AbortController();
    const call = connection.request('a_b', [], { signal: abort.signal });
    abort.abort();
    await expect(call).rejects.toMatchObject({ code: 'Aborted' });
    await expect(connection.request('a_b', [], { signal: abort.signal })).rejects.toMatchObject({
      code: 'Aborted',
    });
    port.postMessage('{"jsonrpc":"2.0","id":1,"result":1}');
    await settle();
    connection.close();
  });

  it('ends a subscription whose response arrives after the abort', async () => {
    const { connection, port, requests, settle } = open();
    const abort = new AbortController();
    const items: unknown[] = [];
    const { signal } = abort;
    const opening = createClient(connection).chain_subscribeNewHeads({}, (head) => items.push(head), {
      signal,
    });
    abort.abort();
    await expect(opening).rejects.toMatchObject({ code: 'Aborted' });
    port.postMessage([
      '{"jsonrpc":"2.0","id":1,"result":"s1"}',
      '{"jsonrpc":"2.0","method":"chain_newHead","params":{"subscription":"s1","result":1}}',
    ]);
    await expect
      .poll(requests)
      .toContain('{"jsonrpc":"2.0","id":2,"method":"chain_unsubscribeNewHeads","params":["s1"]}');
    port.postMessage('{"jsonrpc":"2.0","method":"chain_newHead","params":{"subscription":"s1","result":2}}');
    await settle();
    expect(items).toEqual([]);
    connection.close();
  });

  it('sends a batch as one text and returns the outcomes in order, including errors', async () => {
    const { connection, port, requests, settle } = open();
    const batch = connection.batch([
      { method: 'a_b', params: [] },
      { method: 'a_c', params: [1n] },
    ]);
    await settle();
    expect(requests()).toEqual([
      '[{"jsonrpc":"2.0","id":1,"method":"a_b","params":[]},{"jsonrpc":"2.0","id":2,"method":"a_c","params":[1]}]',
    ]);
    port.postMessage(
      '[{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"Method not found"}},{"jsonrpc":"2.0","id":1,"result":18446744073709551615}]',
    );
    expect(await batch).toEqual([
      { ok: true, value: 18446744073709551615n },
      { ok: false, error: new JsonRpcError(-32601, 'Method not found') },
    ]);
    expect(await connection.batch([])).toEqual([]);
    connection.close();
  });

  it('rejects a batch that is refused as a whole, aborted or disconnected', async () => {
    const { connection, port } = open();
    const calls = [
      { method: 'a_b', params: [] },
      { method: 'a_c', params: [] },
    ];
    const refused = connection.batch(calls);
    port.postMessage(
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32010,"message":"The batch request was too large"}}',
    );
    expect((await refused).map((answer) => !answer.ok && answer.error.code)).toEqual([-32010, -32010]);
    const abort = new AbortController();
    const given = connection.batch(calls, { signal: abort.signal });
    abort.abort();
    await expect(given).rejects.toMatchObject({ code: 'Aborted' });
    await expect(connection.batch(calls, { signal: abort.signal })).rejects.toMatchObject({
      code: 'Aborted',
    });
    const cut = connection.batch(calls);
    connection.close();
    await expect(cut).rejects.toMatchObject({ code: 'Disconnected' });
    await expect(connection.batch(calls)).rejects.toMatchObject({ code: 'Disconnected' });
  });

  it('delivers every notification, also those next to the response, until it is unsubscribed', async () => {
    const { connection, port, requests, settle } = open();
    const client = createClient(connection);
    const items: unknown[] = [];
    const opening = client.state_subscribeStorage({ keys: [Uint8Array.of(1, 255)] }, (item) =>
      items.push(item),
    );
    const notify = (result: number): string =>
      `{"jsonrpc":"2.0","method":"state_storage","params":{"subscription":"s1","result":${result}}}`;
    port.postMessage('{"jsonrpc":"2.0","id":1,"result":"s1"}');
    port.postMessage(notify(1));
    port.postMessage([notify(2), notify(3)]);
    const unsubscribe = await opening;
    await settle();
    expect(items).toEqual([1, 2, 3]);
    const ended = unsubscribe();
    port.postMessage(notify(4));
    port.postMessage('{"jsonrpc":"2.0","id":2,"result":true}');
    await ended;
    await settle();
    expect(items).toEqual([1, 2, 3]);
    expect(requests()).toEqual([
      '{"jsonrpc":"2.0","id":1,"method":"state_subscribeStorage","params":[["0x01ff"]]}',
      '{"jsonrpc":"2.0","id":2,"method":"state_unsubscribeStorage","params":["s1"]}',
    ]);
    connection.close();
  });
});

describe('the typed client', () => {
  it('passes arguments in the order of the table, without missing ones at the end', async () => {
    const { connection, requests, settle } = open();
    const client = createClient(connection);
    const calls = [
      client.chain_getBlockHash(),
      client.chain_getBlockHash({ hash: 0 }),
      client.state_getKeysPaged({ count: 5, start_key: '0x01' }),
      client.dev_setSealMode({ mode: 'manual' }),
    ].map((call) => call.catch(() => null));
    await settle();
    expect(requests().map((text) => (JSON.parse(text) as { params: unknown }).params)).toEqual([
      [],
      [0],
      [null, 5, '0x01'],
      ['manual'],
    ]);
    connection.close();
    await Promise.all(calls);
  });
});

it('asks for no lock on a port of Node.js, whose threads would never rest', () => {
  const request = vi.spyOn(navigator.locks, 'request');
  const { port1, port2 } = new MessageChannel();
  const connection = createConnection(port1);
  expect(request).not.toHaveBeenCalled();
  connection.close();
  port2.close();
});
