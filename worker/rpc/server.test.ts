import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/protocol/json.ts';
import type { Dialect } from '../../src/protocol/node.ts';
import type { ConnectionOptions } from './connection.ts';
import { createFakeNode } from './fake-parts.ts';
import { createRpcServer } from './server.ts';

const connect = (options: Partial<ConnectionOptions> = {}) => {
  const fake = createFakeNode();
  let lastId = 0;
  const server = createRpcServer(fake.parts, { name: 'Judge Node', createId: () => `id${++lastId}` });
  const sent: string[] = [];
  const lists: (readonly string[])[] = [];
  const settings: ConnectionOptions = {
    dialect: 'polkadot-sdk',
    denyUnsafe: false,
    transport: 'ws',
    ...options,
  };
  const connection = server.connect(
    (text) => sent.push(text),
    settings,
    (texts) => {
      lists.push(texts);
      sent.push(...texts);
    },
  );
  const ask = async (method: string, params: unknown = []) =>
    parseJson(
      (await connection.handle(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))) ?? 'null',
    ) as {
      result?: unknown;
      error?: { code: number; message: string; data?: string };
    };
  const settle = () => new Promise((resolve) => setTimeout(resolve, 5));
  return { ...fake, server, connection, sent, lists, ask, settle };
};

const recorded = new URL('../../../shared/fixtures/sdk-node/protocol.jsonl', import.meta.url);
const httpOnly = new Set([
  'content type text/plain',
  'no content type',
  'GET',
  'GET /health',
  'PUT',
  'OPTIONS with origin',
]);
type Case = {
  transport: 'http' | 'ws';
  note: string;
  requestText: string;
  httpMethod?: string;
  status?: number;
  responseText?: string;
  responseTexts?: string[];
};

describe.skipIf(!existsSync(recorded))('the envelope, as a native node answered it', () => {
  const lines = existsSync(recorded) ? readFileSync(recorded, 'utf8').trim().split('\n') : [];
  const cases = lines
    .map((line) => JSON.parse(line) as Case)
    .filter((one) => one.httpMethod === undefined && one.status !== 415 && !httpOnly.has(one.note));
  it.each(cases.map((one) => [`${one.transport}: ${one.note}`, one] as const))('%s', async (_name, one) => {
    const { connection, parts } = connect({ transport: one.transport });
    const text = typeof one.requestText === 'string' ? one.requestText : '';
    if (one.note.includes('above 15 MiB')) return;
    const genesis = /"(0x[0-9a-f]{64})"/;
    const expected = (one.responseTexts?.[0] ?? one.responseText ?? '')
      .replace(genesis, `"${parts.chain.genesisHash}"`)
      .replaceAll('"Development"', '"Fake"');
    expect((await connection.handle(text)) ?? '').toBe(expected);
  });
});

describe('limits', () => {
  it('refuses large requests and responses and long batches', async () => {
    const { connection } = connect({ limits: { maxRequestBytes: 200, maxResponseBytes: 60, maxBatch: 2 } });
    expect(await connection.handle(' '.repeat(201))).toBe(
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32007,"message":"Request is too big","data":"Exceeded max limit of 200"}}',
    );
    expect(await connection.handle('{"jsonrpc":"2.0","id":7,"method":"state_getMetadata"}')).toContain(
      '-32008',
    );
    expect(await connection.handle('[1,2,3]')).toContain('-32010');
    expect(await connect({ limits: { maxBatch: 0 } }).connection.handle('[1]')).toContain('-32005');
  });

  it('counts subscriptions per connection', async () => {
    const { ask } = connect({ limits: { maxSubscriptions: 1 } });
    expect((await ask('chain_subscribeNewHeads')).result).toBe('id1');
    expect((await ask('chain_subscribeNewHeads')).error).toEqual({
      code: -32006,
      message: 'Too many subscriptions on the connection',
      data: 'Exceeded max limit of 1',
    });
    expect((await ask('chain_unsubscribeNewHeads', ['id1'])).result).toBe(true);
    expect((await ask('chain_subscribeNewHeads')).result).toBe('id2');
  });
});

describe('parameters', () => {
  it('go by position and by name in both spellings', async () => {
    const { ask } = connect();
    const page = ['0x3a01', '0x3a02'];
    expect((await ask('state_getKeysPaged', ['0x3a', 2])).result).toEqual(page);
    expect((await ask('state_getKeysPaged', { prefix: '3A', count: 2 })).result).toEqual(page);
    expect((await ask('state_getKeysPaged', { prefix: null, count: 1, start_key: '0x3a01' })).result).toEqual(
      ['0x3a02'],
    );
    expect((await ask('state_getKeysPaged', { count: 1, startKey: '0x3a01' })).result).toEqual(['0x3a02']);
  });

  it.each([
    ['state_getStorage', [], 'No more params'],
    ['state_getStorage', ['zz'], 'invalid hex character: z, at 0 at line 1 column 4'],
    ['state_getStorage', ['0xzz'], 'invalid hex character: z, at 2 at line 1 column 6'],
    [
      'state_getStorage',
      [[1, 2, 3]],
      'invalid type: sequence, expected a (both 0x-prefixed or not) hex string or byte array at line 1 column 0',
    ],
    [
      'state_getStorage',
      [null],
      'invalid type: null, expected a (both 0x-prefixed or not) hex string or byte array at line 1 column 4',
    ],
    [
      'chain_getHeader',
      ['0x12'],
      'invalid length 2, expected a (both 0x-prefixed or not) hex string or byte array containing 32 bytes at line 1 column 6',
    ],
    [
      'chain_getHeader',
      [1],
      'invalid type: integer `1`, expected a (both 0x-prefixed or not) hex string or byte array containing 32 bytes at line 1 column 1',
    ],
    ['state_getKeysPaged', ['0x', -1], 'invalid value: integer `-1`, expected u32 at line 1 column 2'],
    ['state_getKeysPaged', ['0x', 'x'], 'invalid type: string "x", expected u32 at line 1 column 3'],
    ['chain_getBlockHash', [[null]], 'data did not match any variant of untagged enum ListOrValue'],
    ['engine_createBlock', [true], 'No more params'],
    ['state_subscribeStorage', [['zz']], 'invalid hex character: z, at 0 at line 1 column 5'],
    [
      'state_subscribeStorage',
      ['0x12'],
      'invalid type: string "0x12", expected a sequence at line 1 column 6',
    ],
  ])('%s %j is refused as the SDK refuses it', async (method, params, data) => {
    expect((await connect().ask(method, params)).error).toEqual({
      code: -32602,
      message: 'Invalid params',
      data,
    });
  });

  it('takes lists of byte numbers under psp-6', async () => {
    expect((await connect({ dialect: 'psp-6' }).ask('state_getStorage', [[0x3a, 1]])).result).toBe('0x0102');
  });
});

describe('dialects and safety', () => {
  const denied = { code: -32601, message: 'RPC call is unsafe to be called externally' };
  it.each<[Dialect, string, unknown[], object | null]>([
    ['psp-6', 'author_submitExtrinsic', ['0x0404'], denied],
    ['polkadot-sdk', 'author_submitExtrinsic', ['0x0404'], null],
    ['psp-6', 'state_getKeysPaged', ['0x', 1], denied],
    ['psp-6', 'system_peers', [], null],
    ['polkadot-sdk', 'system_peers', [], denied],
    ['polkadot-sdk', 'state_getPairs', ['0x'], { ...denied, code: 4003 }],
    ['psp-6', 'state_getPairs', ['0x'], denied],
    ['psp-6', 'state_subscribeStorage', [], null],
    ['polkadot-sdk', 'state_subscribeStorage', [], denied],
    ['psp-6', 'dev_setSealMode', ['manual'], denied],
  ])('%s %s', async (dialect, method, params, error) => {
    expect((await connect({ dialect, denyUnsafe: true }).ask(method, params)).error ?? null).toEqual(error);
  });

  it('keeps ids digit for digit under psp-6', async () => {
    const { connection } = connect({ dialect: 'psp-6' });
    for (const id of ['-1', '18446744073709551616', '123456789012345678901234567890', '"x"', 'null'])
      expect(await connection.handle(`{"jsonrpc":"2.0","id":${id},"method":"system_name"}`)).toBe(
        `{"jsonrpc":"2.0","id":${id},"result":"Judge Node"}`,
      );
  });

  it('writes a fee above 2^53 exactly', async () => {
    const { connection, setCallResult, ask } = connect({ dialect: 'psp-6' });
    setCallResult('TransactionPaymentApi_query_info', `0x040800${'ff'.repeat(16)}`);
    const text = '{"jsonrpc":"2.0","id":1,"method":"payment_queryInfo","params":["0x0404"]}';
    expect(await connection.handle(text)).toBe(
      '{"jsonrpc":"2.0","id":1,"result":340282366920938463463374607431768211455}',
    );
    expect((await ask('payment_queryInfo', ['0x'])).error?.code).toBe(2);
    const sdk = connect();
    sdk.setCallResult('TransactionPaymentApi_query_info', `0x040800${'ff'.repeat(16)}`);
    expect((await sdk.ask('payment_queryInfo', ['0x0404'])).result).toEqual({
      weight: { ref_time: 1, proof_size: 2 },
      class: 'normal',
      partialFee: '340282366920938463463374607431768211455',
    });
  });

  it('shows the GRANDPA justification alone under psp-6 only', async () => {
    expect((await connect({ dialect: 'psp-6' }).ask('chain_getBlock')).result).toMatchObject({
      justification: '0x0102',
      justifications: [
        [
          [70, 82, 78, 75],
          [1, 2],
        ],
      ],
    });
    expect((await connect().ask('chain_getBlock')).result).not.toHaveProperty('justification');
  });

  it('sums a prefix for state_getStorageSize under polkadot-sdk only', async () => {
    expect((await connect().ask('state_getStorageSize', ['0x3a'])).result).toBe(6);
    expect((await connect({ dialect: 'psp-6' }).ask('state_getStorageSize', ['0x3a'])).result).toBe(null);
  });
});

describe('errors', () => {
  const nowhere = `0x${'11'.repeat(32)}`;
  it.each([
    [
      'state_getStorage',
      ['0x', nowhere],
      4003,
      `Client error: UnknownBlock: Header was not found in the database: ${nowhere}`,
    ],
    [
      'state_getMetadata',
      [nowhere],
      4003,
      `Client error: Api called for an unknown Block: Header was not found in the database: ${nowhere}`,
    ],
    [
      'state_call',
      ['Core_version', '0x', nowhere],
      4003,
      `Client error: UnknownBlock: Expect block number from id: Hash(${nowhere})`,
    ],
    ['state_call', ['', '0x'], 4003, 'Client error: Execution failed: Other: Exported method  is not found'],
    [
      'state_queryStorageAt',
      [['0x'], nowhere],
      4001,
      `Cannot resolve a block range ['"${nowhere}"' ... '"Some(${nowhere})"]. UnknownBlock: Header was not found in the database: ${nowhere}`,
    ],
    ['state_getKeysPaged', ['0x', 1001], 4002, 'count exceeds maximum value. value: 1001, max: 1000'],
    [
      'chain_getBlockHash',
      [4294967296],
      3001,
      '`Number(4294967296)` > u32::MAX, the max block number is u32.',
    ],
    [
      'chain_getBlockHash',
      ['0x100000000'],
      3001,
      '`Hex(4294967296)` > u32::MAX, the max block number is u32.',
    ],
    [
      'engine_createBlock',
      [false, false, null],
      12000,
      'Transaction pool is empty, set create_empty to true, if you want to create empty blocks',
    ],
    [
      'author_submitExtrinsic',
      ['0x'],
      1001,
      'Extrinsic has invalid format: Could not decode `OpaqueExtrinsic.0`:\n\tNot enough data to fill buffer\n',
    ],
  ])('%s %j', async (method, params, code, message) => {
    expect((await connect().ask(method, params)).error).toEqual({ code, message });
  });

  it('names a pool refusal in the words of the dialect', async () => {
    const refusal = { ok: false, reason: 'tooLowPriority', old: 3068n, new: 3067n } as const;
    const data = 'The transaction has too low priority to replace another transaction already in the pool.';
    const sdk = connect();
    sdk.setSubmitResult(refusal);
    const own = connect({ dialect: 'psp-6' });
    own.setSubmitResult(refusal);
    expect((await sdk.ask('author_submitExtrinsic', ['0x0404'])).error).toEqual({
      code: 1014,
      message: 'Priority is too low: (3068 vs 3067)',
      data,
    });
    expect((await own.ask('author_submitExtrinsic', ['0x0404'])).error).toEqual({
      code: 1014,
      message: data,
    });
  });
});

describe('subscriptions', () => {
  const request = (id: number, method: string, params: unknown[] = []): string =>
    JSON.stringify({ jsonrpc: '2.0', id, method, params });
  const items = (sent: readonly string[], id: string): unknown[] =>
    sent
      .map((text) => JSON.parse(text) as { params?: { subscription: string; result: unknown } })
      .flatMap(({ params }) => (params?.subscription === id ? [params.result] : []));

  it('answers first, then sends the head and each new one, without gap', async () => {
    const { connection, sent, grow, settle } = connect();
    connection.receive(request(1, 'chain_subscribeNewHead'));
    grow();
    await settle();
    grow();
    await settle();
    expect(sent[0]).toBe('{"jsonrpc":"2.0","id":1,"result":"id1"}');
    expect(JSON.parse(sent[1] as string)).toMatchObject({
      method: 'chain_newHead',
      params: { subscription: 'id1' },
    });
    expect(items(sent, 'id1').map((head) => (head as { number: string }).number)).toEqual([
      '0x0',
      '0x1',
      '0x2',
    ]);
    connection.receive(request(2, 'unsubscribe_newHead', ['id1']));
    await settle();
    grow();
    await settle();
    expect(items(sent, 'id1')).toHaveLength(3);
  });

  it('tells of finality by the last block, and under psp-6 of every block to allHeads', async () => {
    for (const [dialect, all] of [
      ['psp-6', 6],
      ['polkadot-sdk', 4],
    ] as const) {
      const { connection, sent, grow, finalize, settle } = connect({ dialect });
      connection.receive(request(1, 'chain_subscribeAllHeads'));
      connection.receive(request(2, 'chain_subscribeFinalizedHeads'));
      for (let i = 0; i < 3; i++) grow();
      finalize(2);
      await settle();
      expect(items(sent, 'id1')).toHaveLength(all);
      expect(items(sent, 'id2').map((head) => (head as { number: string }).number)).toEqual(['0x0', '0x2']);
    }
  });

  it('sends storage: all keys first, then what changed', async () => {
    const { connection, sent, grow, hashes, settle } = connect();
    connection.receive(request(1, 'state_subscribeStorage', [['0x3a01', '0x99']]));
    connection.receive(request(2, 'state_subscribeStorage', [[]]));
    connection.receive(request(3, 'state_subscribeStorage'));
    await settle();
    grow([['0x3a02', '0x05']]);
    grow([
      ['0x99', '0x07'],
      ['0x3a02', null],
    ]);
    await settle();
    expect(items(sent, 'id1')).toEqual([
      {
        block: hashes[0],
        changes: [
          ['0x3a01', '0x0102'],
          ['0x99', null],
        ],
      },
      { block: hashes[2], changes: [['0x99', '0x07']] },
    ]);
    expect(items(sent, 'id2')).toEqual([]);
    expect(items(sent, 'id3')).toHaveLength(2);
  });

  it('gathers the notifications of one tick', async () => {
    const { connection, lists, grow, settle } = connect();
    for (let i = 0; i < 5; i++) connection.receive(request(i, 'chain_subscribeNewHeads'));
    await settle();
    lists.length = 0;
    grow();
    await settle();
    expect(lists.map((list) => list.length)).toEqual([5]);
  });

  it('ends a watch with its last status', async () => {
    const { connection, sent, notify, hashes, settle } = connect();
    connection.receive(request(1, 'author_submitAndWatchExtrinsic', ['0x0404']));
    notify({ kind: 'ready' });
    await settle();
    notify({ kind: 'inBlock', block: hashes[0] as never, index: 0 });
    notify({ kind: 'finalized', block: hashes[0] as never, index: 0 });
    notify({ kind: 'ready' });
    await settle();
    expect(items(sent, 'id1')).toEqual(['ready', { inBlock: hashes[0] }, { finalized: hashes[0] }]);
    connection.receive(request(2, 'author_unwatchExtrinsic', ['id1']));
    await settle();
    expect(sent.at(-1)).toBe('{"jsonrpc":"2.0","id":2,"result":false}');
  });

  it('answers false for ids of another kind, another connection, another type', async () => {
    const { ask } = connect();
    await ask('chain_subscribeAllHeads');
    for (const params of [['id1'], ['x'], [5], [], undefined, 'x'])
      expect((await ask('chain_unsubscribeNewHeads', params)).result).toBe(false);
    expect((await ask('chain_unsubscribeAllHeads', ['id1'])).result).toBe(true);
    expect((await ask('chain_unsubscribeAllHeads', ['id1'])).result).toBe(false);
  });

  it('drops a subscription that stays behind a blocked transport', async () => {
    const { connection, sent, grow, settle, ask } = connect({ isBlocked: () => true });
    connection.receive(request(1, 'chain_subscribeNewHeads'));
    await settle();
    for (let i = 0; i < 30; i++) grow();
    await settle();
    expect(items(sent, 'id1')).toHaveLength(16);
    expect((await ask('chain_unsubscribeNewHeads', ['id1'])).result).toBe(false);
  });

  it('is refused over HTTP', async () => {
    expect((await connect({ transport: 'http' }).ask('chain_subscribeNewHeads')).error).toEqual({
      code: -32603,
      message: 'Internal error',
    });
  });

  it('falls silent when the connection closes', async () => {
    const { connection, sent, grow, settle, server } = connect();
    connection.receive(request(1, 'chain_subscribeNewHeads'));
    await settle();
    const before = sent.length;
    server.close();
    grow();
    connection.receive(request(2, 'system_name'));
    await settle();
    expect(sent).toHaveLength(before);
  });
});

describe('any text', () => {
  const isResponse = (value: unknown): boolean => {
    const { jsonrpc, id, result, error } = value as Record<string, unknown>;
    return jsonrpc === '2.0' && id !== undefined && (result !== undefined) !== (error !== undefined);
  };
  const isValid = (answer: string | null): boolean => {
    if (answer === null) return true;
    const value = parseJson(answer);
    return Array.isArray(value) ? value.length > 0 && value.every(isResponse) : isResponse(value);
  };
  const names = connect();
  const method = fc.constantFrom(
    ...[
      'system_accountNextIndex',
      'state_call',
      'chain_getBlockHash',
      'state_getStorage',
      'engine_createBlock',
    ],
    ...[
      'state_getKeysPaged',
      'payment_queryInfo',
      'dev_setSealMode',
      'rpc_methods',
      'author_submitExtrinsic',
      'nope',
    ],
    ...[
      'chain_subscribeNewHeads',
      'chain_unsubscribeNewHeads',
      'engine_finalizeBlock',
      'state_subscribeStorage',
    ],
  );
  const message = fc.record(
    {
      jsonrpc: fc.constant('2.0'),
      id: fc.jsonValue(),
      method,
      params: fc.oneof(fc.array(fc.jsonValue()), fc.jsonValue()),
    },
    { requiredKeys: [] },
  );

  it.each<Dialect>(['psp-6', 'polkadot-sdk'])('gets a valid response or none (%s)', async (dialect) => {
    const { connection } = connect({ dialect, limits: { maxSubscriptions: 4 } });
    const texts = fc.oneof(
      fc.string(),
      fc.json(),
      message.map((one) => JSON.stringify(one)),
      fc.array(message).map((list) => JSON.stringify(list)),
    );
    await fc.assert(
      fc.asyncProperty(texts, async (text) => isValid(await connection.handle(text))),
      { numRuns: 400 },
    );
  });

  it('lists every name it answers to, sorted', async () => {
    const { methods } = (await names.ask('rpc_methods')).result as { methods: string[] };
    expect(methods).toEqual([...methods].sort());
    expect(methods).toContain('chain_unsubscribeFinalisedHeads');
    expect(new Set(methods).size).toBe(methods.length);
  });
});
