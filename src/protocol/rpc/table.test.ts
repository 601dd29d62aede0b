import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { call, type Entry } from './define.ts';
import { createRoutes, rpcTable } from './index.ts';
import { hash } from './params.ts';
import { hashResult } from './results.ts';

const entries = Object.entries<Entry>(rpcTable);
const recorded = new URL('../../../../shared/fixtures/sdk-node/static.jsonl', import.meta.url);

/** Groups of the native node that are not built yet or belong to parts this node lacks. */
const absent = [/^(archive|bitswap|chainHead|transaction|transactionWatch|sudo)_/, /^(beefy|mmr|statement)_/];

describe('the method table', () => {
  it.each(entries)('%s: its example reads and fits the result', (_name, entry) => {
    for (const [name, param] of Object.entries(entry.params)) {
      const value = entry.example?.args[name];
      if (value === undefined) expect(param.isOptional || entry.example === undefined).toBe(true);
      else expect(param.safeParse(value).success).toBe(true);
    }
    for (const name of Object.keys(entry.example?.args ?? {})) expect(entry.params).toHaveProperty(name);
    if (entry.example !== undefined)
      expect(entry.result.safeParse(entry.example.result).error).toBe(undefined);
    expect(entry.doc.endsWith('.')).toBe(true);
  });

  it('refuses a name that is declared twice', () => {
    const one = call({ doc: 'One.', params: { hash: hash() }, result: hashResult(), safety: 'safe' });
    expect(() => createRoutes({ a_b: one, a_c: { ...one, aliases: ['a_b'] } })).toThrow('declared twice');
  });

  it.skipIf(!existsSync(recorded))('has the names of the native node, but for the known gaps', () => {
    const first = readFileSync(recorded, 'utf8').split('\n', 1)[0] ?? '';
    const names = (JSON.parse(first) as { response: { result: { methods: string[] } } }).response.result
      .methods;
    const routes = createRoutes(rpcTable);
    expect(names.filter((name) => !routes.has(name) && !absent.some((gap) => gap.test(name)))).toEqual([]);
  });
});
