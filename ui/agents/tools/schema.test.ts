import Ajv from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tools } from './index.ts';
import {
  either,
  flag,
  integer,
  json,
  list,
  number,
  oneOf,
  optional,
  readArguments,
  record,
  schemaOf,
  text,
  withDefault,
} from './schema.ts';

const fields = {
  name: text(1, 5),
  count: withDefault(integer({ minimum: 1, maximum: 9 }), 3),
  seconds: optional(number({ minimum: 0 })),
  on: withDefault(flag(), false),
  kind: oneOf(['one', 'two']),
  any: optional(json()),
  at: optional(either(text(), integer({ minimum: 0 }))),
  keys: withDefault(list(text()), []),
  args: withDefault(record(record(json())), {}),
};
const least = { name: 'x', kind: 'one' };

it('fills in defaults', () => {
  expect(readArguments(fields, least)).toEqual({
    ...least,
    count: 3,
    on: false,
    keys: [],
    args: {},
    seconds: undefined,
    any: undefined,
    at: undefined,
  });
});

it.each([
  [[], 'arguments: an object was expected, not []'],
  [{ kind: 'one' }, 'name: a text of 1 to 5 characters was expected, not nothing'],
  [{ ...least, name: 'longer' }, 'not "longer"'],
  [{ ...least, count: 0 }, 'count: an integer from 1 to 9 was expected, not 0'],
  [{ ...least, count: 1.5 }, 'count'],
  [{ ...least, count: '1' }, 'not "1"'],
  [{ ...least, seconds: -1 }, 'seconds: a number from 0 was expected'],
  [{ ...least, on: null }, 'on: true or false was expected, not null'],
  [{ ...least, kind: 'three' }, 'kind: one of one, two was expected'],
  [{ ...least, at: -1 }, 'at: an integer from 0 was expected'],
  [{ ...least, keys: ['a', 1] }, 'keys[1]: a text was expected, not 1'],
  [{ ...least, args: { a: 1 } }, 'args.a: an object was expected'],
  [{ ...least, nmae: 'x' }, 'There is no argument "nmae": it takes name, count'],
  [{ ...least, toString: 'x' }, 'There is no argument "toString"'],
])('refuses %j', (args, message) => {
  expect(() => readArguments(fields, args)).toThrow(
    expect.objectContaining({ code: 'BadValue', message: expect.stringContaining(message) }),
  );
});

it('accepts exactly what its JSON Schema accepts', () => {
  const accepts = new Ajv().compile(schemaOf(fields));
  const some = fc.oneof(
    fc.constantFrom('', 'x', 'one', 'two', 'longer', 0, 1, 3, 9, 10, -1, 0.5, true, null),
    fc.constantFrom([], ['a'], [1], {}, { a: {} }, { a: 1 }, { a: { b: [] } }),
  );
  const names = Object.keys(fields) as (keyof typeof fields)[];
  const someFields = fc.record(Object.fromEntries(['stranger', ...names].map((name) => [name, some])), {
    requiredKeys: [],
  });
  void fc.assert(
    fc.property(someFields, fc.boolean(), (values, isWhole) => {
      const all = isWhole ? { ...least, ...values } : values;
      let isRead = true;
      try {
        readArguments(fields, all);
      } catch {
        isRead = false;
      }
      expect(isRead).toBe(accepts(all));
    }),
    { seed: 16, numRuns: 2000 },
  );
});

describe('the table', () => {
  it.each(tools.map((one) => [one.name, one] as const))('%s has a valid schema', (_name, { input }) => {
    expect(() => new Ajv().compile(schemaOf(input))).not.toThrow();
    for (const { schema } of Object.values(input))
      if ('default' in schema) expect(new Ajv().compile(schema)(schema['default'])).toBe(true);
  });

  it('uses only names that both protocols accept', () => {
    for (const { name } of tools) expect(name).toMatch(/^[A-Za-z0-9_.-]{1,128}$/);
  });
});
