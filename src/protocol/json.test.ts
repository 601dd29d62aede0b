import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson, writeGivenJson, writeIndentedJson, writeJson } from './json.ts';

describe('exact JSON', () => {
  it('keeps every digit of an integer', () => {
    for (const text of [
      '[18446744073709551615]',
      '{"a":-340282366920938463463374607431768211455}',
      '[9007199254740991,1]',
    ])
      expect(writeJson(parseJson(text))).toBe(text);
    expect(parseJson('[9007199254740991, 9007199254740993]')).toEqual([9007199254740991, 9007199254740993n]);
  });

  it('keeps them in indented text, too, and is no other function when it is mapped over a list', () => {
    expect(writeIndentedJson({ a: [2n ** 70n] }, 1)).toBe(`{\n "a": [\n  ${2n ** 70n}\n ]\n}`);
    expect([[1], [2n ** 70n]].map(writeJson)).toEqual(['[1]', `[${2n ** 70n}]`]);
  });

  it('leaves strings, fractions and exponents unchanged', () => {
    const text =
      '{"a":"[18446744073709551615","b":"\\"1234567890123456789\\"","c":0.12345678901234567890,"d":[1e-1234567890123456789,1234567890123456789e2]}';
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  it('reads whatever JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.bigInt({ min: 2n ** 53n, max: 2n ** 130n }), (value, big) => {
        const text = `{"big":${big},"value":${JSON.stringify(value)}}`;
        expect((parseJson(text) as { big: unknown }).big).toBe(big);
        expect(writeJson((parseJson(text) as { value: unknown }).value)).toBe(
          JSON.stringify(JSON.parse(JSON.stringify(value))),
        );
      }),
    );
  });

  it('reads integers and strings of every form like a reviver over all values', () => {
    const digits = fc.stringMatching(/^-?[1-9]\d{0,40}$/);
    const value: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        digits,
        fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
        fc.constantFrom(
          '"\\\\"',
          '"\\""',
          '"1234567890123456789\\""',
          '1.5e300',
          '-0',
          '1234567890123456789E2',
        ),
        fc.array(tie('value')).map((items) => `[${items.join(' , ')}]`),
        fc.array(tie('value')).map((items) => `{${items.map((item, at) => `"k${at}":${item}`).join(',')}}`),
      ),
    })).value;
    const naive = (text: string): unknown =>
      JSON.parse(text, (_key, read: unknown, { source }: { source?: string } = {}) =>
        typeof read === 'number' && /^-?\d+$/.test(source ?? '') && !Number.isSafeInteger(read)
          ? BigInt(source ?? '')
          : read,
      );
    fc.assert(
      fc.property(value, (text) => {
        expect(parseJson(text)).toEqual(naive(text));
      }),
      { seed: 42, numRuns: 2000 },
    );
  });

  it('does not take a string for an integer, whatever it says', () => {
    const text = '{"a":"\\u0000integer:5","__proto__":18446744073709551615,"b":[18446744073709551615]}';
    const read = parseJson(text) as Record<string, unknown>;
    expect(read['a']).toBe('\0integer:5');
    expect(Object.entries(read)).toContainEqual(['__proto__', 2n ** 64n - 1n]);
  });

  it('reads a number of more digits than any integer has as JSON.parse does', () => {
    const text = `[${'9'.repeat(5000)},18446744073709551615]`;
    expect(parseJson(text)).toEqual([Number.POSITIVE_INFINITY, 2n ** 64n - 1n]);
  });

  it('reads values nested a million deep beside large integers', () => {
    const depth = 1_000_000;
    let value = parseJson(`${'['.repeat(depth)}18446744073709551615${']'.repeat(depth)}`);
    for (let level = 0; level < depth; level += 1) value = (value as unknown[])[0];
    expect(value).toBe(2n ** 64n - 1n);
  });

  it('writes null for values nested deeper than the engine can write', () => {
    const deep = parseJson(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    expect(() => writeJson(deep)).toThrow(RangeError);
    expect(writeGivenJson(deep)).toBe('null');
    expect(writeGivenJson([2n ** 70n])).toBe(`[${2n ** 70n}]`);
    const circle: unknown[] = [];
    circle.push(circle);
    expect(() => writeGivenJson(circle)).toThrow(TypeError);
  });
});
