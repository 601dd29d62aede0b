import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasDuplicateNames, readCalls } from './read-calls.ts';

describe('a duplicate name in an object', () => {
  it.each([
    '{"method":"a","method":"b"}',
    '{"method":"a","\\u006dethod":"b"}',
    '[{"a":1},{"b":{"c":[],"c":[]}}]',
    '{"a":{"x":1},"b":"}","a":2}',
    '{"a":"\\"","a":1}',
  ])('%s', (text) => {
    expect(hasDuplicateNames(text)).toBe(true);
  });

  it.each(['{"a":{"a":[{"a":1},{"a":2}]}}', '["a","a"]', '{"a":"a:","b":"\\"a\\":1"}', '1', '"a"'])(
    'is not found in %s',
    (text) => {
      expect(hasDuplicateNames(text)).toBe(false);
    },
  );

  it('is never found in the output of JSON.stringify', () => {
    fc.assert(
      fc.property(fc.json(), (text) => !hasDuplicateNames(JSON.stringify(JSON.parse(text)))),
      {
        seed: 34,
      },
    );
  });
});

describe('calls', () => {
  const one = (text: string) => readCalls(text).items[0];

  it('are serialized again, including big numbers', () => {
    expect(
      one(
        '{"params":[123456789012345678901,{"a":[null]}],"id":18446744073709551615,"jsonrpc":"2.0","method":"m","x":1}',
      ),
    ).toEqual({
      kind: 'call',
      id: '18446744073709551615',
      method: 'm',
      params: '[123456789012345678901,{"a":[null]}]',
    });
    expect(one('{"jsonrpc":"2.0","id":"a\\"b","method":"m"}')).toMatchObject({ id: '"a\\"b"', params: '[]' });
  });

  it('without an id are notifications', () => {
    expect(one('{"jsonrpc":"2.0","method":"m"}')).toEqual({ kind: 'notification' });
  });

  it.each([
    ['{', 'null', -32700],
    ['', 'null', -32700],
    ['"text"', 'null', -32600],
    ['[]', 'null', -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"a","method":"b"}', 'null', -32600],
    ['{"jsonrpc":"2.0","id":{},"method":"a"}', 'null', -32600],
    ['{"jsonrpc":"2.0","id":true,"method":"a"}', 'null', -32600],
    [`{"jsonrpc":"2.0","id":"${'x'.repeat(300)}","method":"a"}`, 'null', -32600],
    ['{"jsonrpc":"1.0","id":1,"method":"a"}', '1', -32600],
    ['{"jsonrpc":"2.0","id":1,"method":["a"]}', '1', -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"a","params":"b"}', '1', -32602],
    [`{"jsonrpc":"2.0","id":1,"method":"a","params":${'['.repeat(1e5)}${']'.repeat(1e5)}}`, '1', -32602],
  ])('%.60s is refused', (text, id, code) => {
    expect(one(text)).toMatchObject({ kind: 'refused', id, error: { code } });
  });
});
