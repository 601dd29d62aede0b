import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson, writeGivenJson, writeJson } from './json.ts';

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

  it('leaves texts, fractions and exponents alone', () => {
    const text =
      '{"a":"[18446744073709551615","b":"\\"1234567890123456789\\"","c":0.12345678901234567890,"d":[1e-1234567890123456789,1234567890123456789e2]}';
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  it('reads what JSON.parse reads', () => {
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

  it('gives null for what is nested deeper than the engine writes', () => {
    const deep = parseJson(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    expect(() => writeJson(deep)).toThrow(RangeError);
    expect(writeGivenJson(deep)).toBe('null');
    expect(writeGivenJson([2n ** 70n])).toBe(`[${2n ** 70n}]`);
    const circle: unknown[] = [];
    circle.push(circle);
    expect(() => writeGivenJson(circle)).toThrow(TypeError);
  });
});
