import { expect, it } from 'vitest';
import type { Decoded } from '../../src/scale/types.ts';
import { PartHighlight, partAt } from './highlight.svelte.ts';

const number = (start: number, end: number): Decoded => ({
  kind: 'number',
  type: 'u128',
  start,
  end,
  value: 1n,
});
const field = (label: string, value: Decoded) => ({ label, docs: '', value });
const free = number(17, 33);
const data: Decoded = {
  kind: 'struct',
  type: 'AccountData',
  start: 17,
  end: 49,
  fields: [field('free', free), field('reserved', number(33, 49))],
};
const some: Decoded = { kind: 'some', type: 'Option', start: 16, end: 49, value: data };
const account: Decoded = {
  kind: 'struct',
  type: 'AccountInfo',
  start: 0,
  end: 49,
  fields: [field('nonce', number(0, 16)), field('data', some)],
};

it('finds the innermost field that holds a byte, also through an option', () => {
  expect(partAt(account, 20)).toEqual({ path: 'data.free', value: free });
  expect(partAt(account, 3)?.path).toBe('nonce');
  // The option's flag byte.
  expect(partAt(account, 16)?.path).toBe('data');
  expect(partAt(account, 49)).toBeNull();
  expect(partAt(free, 20)).toBeNull();
});

it('highlights the part pointed at, or else the pinned part', () => {
  const highlight = new PartHighlight();
  highlight.pin(free);
  highlight.point(data);
  expect(highlight.part).toBe(data);
  highlight.point(null);
  expect(highlight.part).toBe(free);
  highlight.pin(free);
  expect(highlight.part).toBeNull();
});
