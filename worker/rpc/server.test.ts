import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/protocol/json.ts';
import type { Dialect } from '../../src/protocol/node.ts';
import { connect } from './connection/fake-connection.fixture.ts';
import { dialects } from './dialects/psp6.ts';

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

describe.skipIf(!existsSync(recorded))('the envelope, as recorded from a native node', () => {
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

describe('the envelope', () => {
  const named = '"jsonrpc":"2.0","method":"system_name"';
  const invalid = '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid request"}}';
  const answer = (id: string): string => `{"jsonrpc":"2.0","id":${id},"result":"Judge Node"}`;
  it.each(Object.keys(dialects) as Dialect[])(
    'is read leniently where no client can be hurt, in %s',
    async (dialect) => {
      for (const [text, expected] of [
        [`{"id":1.0,${named}}`, answer('1')],
        [`{"id": 1e2 ,${named}}`, answer('100')],
        [`{"id":1,${named},"id":2}`, answer('2')],
        [`{"id":7,"params":[ ],${named}}`, answer('7')],
        [`\n${' '.repeat(200)}{"id":1,${named}}`, answer('1')],
        ['[["2.0",1,"system_name",null],[1],[]]', `[${invalid},${invalid},${invalid}]`],
      ] as const)
        expect((await connect({ dialect }).connection.handle(text)) ?? '').toBe(expected);
    },
  );
});

describe('a response', () => {
  const text = (method: string, params: unknown[] = []) =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

  it('is sent synchronously if nothing has to be loaded', async () => {
    const { connection, sent, hashes, grow } = connect();
    grow();
    connection.receive(text('system_name'));
    connection.receive(text('state_getStorage', ['0x3a01']));
    connection.receive(text('state_getStorage', ['0x3a01', 'g']));
    const [name, value, refusal] = sent.map((one) => JSON.parse(one));
    expect([name.result, refusal.error.code]).toEqual(['Judge Node', -32602]);
    connection.receive(text('state_getStorage', ['0x3a01', hashes[0]]));
    expect(sent.length).toBe(3);
    await expect.poll(() => sent.length).toBe(4);
    expect(JSON.parse(sent[3] as string)).toEqual(value);
    expect(value.result).toMatch(/^0x/);
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
    // jsonrpsee checks for room before it reads parameters.
    expect((await ask('state_subscribeStorage', [5])).error?.code).toBe(-32006);
    expect((await ask('chain_unsubscribeNewHeads', ['id1'])).result).toBe(true);
    expect((await ask('state_subscribeStorage', [5])).error?.code).toBe(-32602);
    expect((await ask('chain_subscribeNewHeads')).result).toBe('id2');
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
      1040,
      'Client error: Could not decode `OpaqueExtrinsic.0`:\n\tNot enough data to fill buffer\n',
    ],
  ])('%s %j', async (method, params, code, message) => {
    expect((await connect().ask(method, params)).error).toEqual({ code, message });
  });

  it("reports a pool refusal with the dialect's message", async () => {
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

  it('lists every supported method name, sorted', async () => {
    const { methods } = (await names.ask('rpc_methods')).result as { methods: string[] };
    expect(methods).toEqual([...methods].sort());
    expect(methods).toContain('chain_unsubscribeFinalisedHeads');
    expect(new Set(methods).size).toBe(methods.length);
  });
});
