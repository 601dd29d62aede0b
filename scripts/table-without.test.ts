import { readdirSync, readFileSync } from 'node:fs';
import { parseAst, transformWithOxc } from 'vite';
import { expect, test } from 'vitest';
import { cutEntries } from './table-without.ts';

const cut = (code: string, ...names: string[]): string => cutEntries(code, parseAst(code), names);

test('removes the named properties of entries only', () => {
  const other = "const of = { doc: 'kept', result: 1 };";
  expect(
    cut(`${other} const table = { a: call({ doc: 'x', params: { doc: of }, result }) };`, 'doc', 'result'),
  ).toBe(`${other} const table = { a: call({  params: { doc: of },  }) };`);
});

test('removes a property of a property', () => {
  const entry = "call({ doc: 'x', example: { args: { result: 1 }, result: [2] }, result })";
  expect(cut(entry, 'example.result')).toBe("call({ doc: 'x', example: { args: { result: 1 },  }, result })");
});

test('leaves no documentation in the table', async () => {
  const folder = new URL('../src/protocol/rpc/', import.meta.url);
  const names = readdirSync(folder).filter((name) => !name.endsWith('.test.ts') && name !== 'define.ts');
  for (const name of names) {
    const { code } = await transformWithOxc(readFileSync(new URL(name, folder), 'utf8'), name);
    expect(cut(code, 'doc', 'deprecated'), name).not.toMatch(/^\s*(doc|deprecated):/m);
  }
});
