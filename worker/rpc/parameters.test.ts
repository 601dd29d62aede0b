import { describe, expect, it } from 'vitest';
import type { Dialect } from '../../src/protocol/node.ts';
import { connect } from './connection/fake-connection.fixture.ts';

describe('parameters', () => {
  it('are accepted by position and by name, in both spellings', async () => {
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
    ['state_getStorage', ['zz'], 'invalid hex character: z, at 0'],
    ['state_getStorage', ['0xzz'], 'invalid hex character: z, at 2'],
    [
      'state_getStorage',
      [[1, 2, 3]],
      'invalid type: sequence, expected a (both 0x-prefixed or not) hex string or byte array',
    ],
    [
      'state_getStorage',
      [null],
      'invalid type: null, expected a (both 0x-prefixed or not) hex string or byte array',
    ],
    [
      'chain_getHeader',
      ['0x12'],
      'invalid length 2, expected a (both 0x-prefixed or not) hex string or byte array containing 32 bytes',
    ],
    [
      'chain_getHeader',
      [1],
      'invalid type: integer `1`, expected a (both 0x-prefixed or not) hex string or byte array containing 32 bytes',
    ],
    ['state_getKeysPaged', ['0x', -1], 'invalid value: integer `-1`, expected u32'],
    ['state_getKeysPaged', ['0x', 'x'], 'invalid type: string "x", expected u32'],
    ['chain_getBlockHash', [[null]], 'data did not match any variant of untagged enum ListOrValue'],
    ['engine_createBlock', [true], 'No more params'],
    ['state_subscribeStorage', [['zz']], 'invalid hex character: z, at 0'],
    ['state_subscribeStorage', ['0x12'], 'invalid type: string "0x12", expected a sequence'],
  ])('%s %j is refused like in the SDK', async (method, params, data) => {
    expect((await connect().ask(method, params)).error).toEqual({
      code: -32602,
      message: 'Invalid params',
      data,
    });
  });

  it('accepts lists of byte values under psp-6', async () => {
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
    expect((await connect({ dialect, denyUnsafe: dialect }).ask(method, params)).error ?? null).toEqual(
      error,
    );
  });

  it('preserves ids digit for digit under psp-6', async () => {
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

  it('returns the GRANDPA justification alone under psp-6 only', async () => {
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
