import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { readIncoming } from '../connection/envelope.ts';
import { connect } from '../connection/fake-connection.fixture.ts';
import { sdk } from './sdk.ts';
import { flawsOf } from './sdk-texts.ts';

const named = (id: string): string => `{"jsonrpc":"2.0","id":${id},"result":"Judge Node"}`;
const failed = (id: string, code: number, message: string): string =>
  `{"jsonrpc":"2.0","id":${id},"error":{"code":${code},"message":"${message}"}}`;
const invalid = (id: string): string => failed(id, -32600, 'Invalid request');
const unread = failed('null', -32700, 'Parse error');
const call = '"jsonrpc":"2.0","method":"system_name"';

/**
 * jsonrpsee 0.24 decodes `Request`, else `Notification`, else `InvalidRequest`. All are derived by serde, so
 * a field may not occur twice.
 */
describe('message members as the native server reads them', () => {
  it.each([
    ['two ids', `{"id":1,${call},"id":2}`, ''],
    ['two ids and no call', '{"id":1,"id":2}', unread],
    ['a fraction for the id of no call', '{"id":1.0}', unread],
    ['two methods', `{"id":1,${call},"method":"system_name"}`, invalid('1')],
    ['two versions', `{"id":1,${call},"jsonrpc":"2.0"}`, invalid('1')],
    ['parameters twice', `{"id":1,${call},"params":[],"params":[]}`, invalid('1')],
    ['two methods of a notification', `{${call},"method":"system_name"}`, unread],
    ['two ids and two methods', `{"id":1,"id":1,${call},"method":"system_name"}`, unread],
    ['another member twice', `{"id":1,${call},"x":1,"x":2}`, named('1')],
    [
      'the same names within parameters',
      `{"id":1,${call},"params":{"id":1.0,"id":2,"method":"\\"id\\":1.0"}}`,
      named('1'),
    ],
    ['a fraction in a batch', `[{"id":1.0,${call}},{"id":2,${call}}]`, `[${named('2')}]`],
    [
      'a batch',
      `[7,{"id":1,"id":1,${call}},{"id":2,${call},"params":[]},{"id":3,${call},"method":"x"},{"id":4.0}]`,
      `[${[invalid('null'), named('2'), invalid('3'), invalid('null')].join()}]`,
    ],
  ])('%s', async (_name, text, expected) => {
    expect((await connect().connection.handle(text)) ?? '').toBe(expected);
  });

  it('psp-6 uses the last of duplicate members', async () => {
    const { connection } = connect({ dialect: 'psp-6' });
    expect(await connection.handle(`[{"id":1,${call},"id":2.0}]`)).toBe(`[${named('2')}]`);
  });

  it('finds no flaws in the output of a JSON writer', () => {
    const message = fc.record({ id: fc.nat(), method: fc.string(), params: fc.jsonValue() });
    fc.assert(
      fc.property(fc.array(message), (batch) => {
        const clean = { id: false, call: false };
        expect(flawsOf(JSON.stringify(batch), true)).toEqual(
          batch.length > 0 ? batch.map(() => clean) : [clean],
        );
        for (const one of batch) expect(flawsOf(JSON.stringify(one), false)).toEqual([clean]);
      }),
    );
  });
});

it('a batch is scanned once for lists of whitespace, however many it contains', () => {
  const faultOfEmptyList = vi.fn(sdk.faultOfEmptyList);
  const entries = Array.from({ length: 100 }, (_, id) => `{"id":${id},${call},"params":[ ]}`);
  const read = readIncoming(`[${entries}]`, { ...sdk, faultOfEmptyList });
  const fault = 'expected value at line 1 column 2';
  const method = 'system_name';
  expect(read).toEqual({
    kind: 'batch',
    messages: entries.map((_, id) => ({ kind: 'request', id, method, params: [], fault })),
  });
  expect(faultOfEmptyList).toHaveBeenCalledOnce();
});
