import { describe, expect, it } from 'vitest';
import { call, type Entry } from './define.ts';
import { docOf } from './docs/docs.ts';
import { createRoutes, rpcTable } from './index.ts';
import { hash } from './params/params.ts';
import { resultOf } from './results/results.ts';

const entries = Object.entries<Entry>(rpcTable);

describe('the method table', () => {
  it.each(entries)('%s: its example parses and matches the result', (method, entry) => {
    const { doc, example } = docOf(method);
    const result = resultOf(method);
    for (const [name, param] of Object.entries(entry.params)) {
      const value = example?.[name];
      if (value === undefined) expect(param.isOptional || example === undefined).toBe(true);
      else expect(() => param.read(value)).not.toThrow();
    }
    for (const name of Object.keys(example ?? {})) expect(entry.params).toHaveProperty(name);
    if (example !== undefined) expect(result.schema.safeParse(result.example).error).toBe(undefined);
    expect('example' in result).toBe(example !== undefined);
    expect(doc.endsWith('.')).toBe(true);
  });

  it('rejects a name that is declared twice', () => {
    const one = call({ params: { hash: hash() }, safety: 'safe' });
    expect(() => createRoutes({ a_b: one, a_c: { ...one, aliases: ['a_b'] } })).toThrow('declared twice');
  });
});
