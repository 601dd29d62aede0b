import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxRequestCost } from '../../src/protocol/limits.ts';
import { hasDuplicateNames, readCalls, readLargeCalls } from './read-calls.ts';

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

describe('a large message', () => {
  const noPause = () => null;
  const member = fc.constantFrom(
    '"id":1',
    '"id":"a"',
    '"jsonrpc":"2.0"',
    '"method":"m"',
    '"params":[{"a":1}]',
    '"params":5',
  );
  const call = fc.array(member, { maxLength: 5 }).map((members) => `{${members}}`);
  const element = fc.oneof(
    { weight: 6, arbitrary: call },
    fc.constantFrom('7', '{"a":1,"a":2}', '{', ' ', '\u00a0'),
  );
  const space = fc.constantFrom('', ' ', '\n', '\u00a0');
  const text = fc.oneof(
    fc.tuple(space, element).map((all) => all.join('')),
    fc.tuple(space, fc.array(element), space).map(([gap, all, end]) => `${gap}[${all}]${end}`),
    fc.array(call).map((all) => `[${all.join(' , ')}]`),
  );

  it('says the same as when it is parsed at once', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (one) => {
        const whole = readCalls(one);
        const [first] = whole.items;
        const read = await readLargeCalls(one, 1000, noPause);
        // Texts that are not calls are refused for another reason if the first character already shows it.
        if (first?.kind === 'refused' && !/^\s*[[{]/.test(one)) expect(read.items[0]?.kind).toBe('refused');
        else expect(read).toEqual(whole);
      }),
      { seed: 5, numRuns: 2000 },
    );
  });

  it('is refused beyond a limit', async () => {
    const read = async (one: string) => (await readLargeCalls(one, 3, noPause)).items;
    const refusal = (code: number, limit: number) => [
      { kind: 'refused', error: { code, data: `Exceeded max limit of ${limit}` } },
    ];
    expect(await read('[1,2,3]')).toHaveLength(3);
    expect(await read('[1,2,3,4]')).toMatchObject(refusal(-32010, 3));
    expect(await read(`[[${'0,'.repeat(maxRequestCost)}0]]`)).toMatchObject(refusal(-32007, maxRequestCost));
  });
});
