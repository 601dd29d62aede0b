import { expect, it } from 'vitest';
import { freeName } from './chain-entry.ts';

it('a name that another chain has gets a number, whatever its case and spaces', () => {
  expect(freeName('Development', [])).toBe('Development');
  expect(freeName(' development ', ['Development'])).toBe('development 2');
  expect(freeName('Development', ['Development', 'DEVELOPMENT 2'])).toBe('Development 3');
  expect(freeName('', ['Chain'])).toBe('Chain 2');
});
