import { describe, expect, it } from 'vitest';
import { call, type Entry } from './define.ts';
import { createRoutes, rpcTable } from './index.ts';
import { hash } from './params.ts';
import { hashResult } from './results.ts';

const entries = Object.entries<Entry>(rpcTable);

describe('the method table', () => {
  it.each(entries)('%s: its example parses and matches the result', (_name, entry) => {
    for (const [name, param] of Object.entries(entry.params)) {
      const value = entry.example?.args[name];
      if (value === undefined) expect(param.isOptional || entry.example === undefined).toBe(true);
      else expect(() => param.read(value)).not.toThrow();
    }
    for (const name of Object.keys(entry.example?.args ?? {})) expect(entry.params).toHaveProperty(name);
    if (entry.example !== undefined)
      expect(entry.result.safeParse(entry.example.result).error).toBe(undefined);
    expect(entry.doc.endsWith('.')).toBe(true);
  });

  it('rejects a name that is declared twice', () => {
    const one = call({ doc: 'One.', params: { hash: hash() }, result: hashResult(), safety: 'safe' });
    expect(() => createRoutes({ a_b: one, a_c: { ...one, aliases: ['a_b'] } })).toThrow('declared twice');
  });
});
