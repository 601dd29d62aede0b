import { expect, it } from 'vitest';
import { readListedMethods } from './listed-methods.ts';

it('lists names in alphabetical order, and nothing else that a node may send', () => {
  expect(readListedMethods({ version: 1, methods: ['b', 'a'] })).toEqual(['a', 'b']);
  expect(readListedMethods({ methods: ['__proto__', 7, null, {}, 'a', 'A'.repeat(1_000_000)] })).toEqual([
    '__proto__',
    'a',
  ]);
  const many = Array.from({ length: 50_000 }, (_, at) => `m_${at}`);
  expect(readListedMethods({ methods: many })).toHaveLength(5000);
  for (const answer of [null, 'text', {}, { methods: 'rpc_methods' }])
    expect(() => readListedMethods(answer)).toThrow('is no list');
});
