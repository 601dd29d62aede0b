import { expect, it } from 'vitest';
import { freeName } from './chain-entry.ts';

it('appends a number to a name that is taken, ignoring case and surrounding spaces', () => {
  expect(freeName('Development', [])).toBe('Development');
  expect(freeName(' development ', ['Development'])).toBe('development 2');
  expect(freeName('Development', ['Development', 'DEVELOPMENT 2'])).toBe('Development 3');
  expect(freeName('', ['Chain'])).toBe('Chain 2');
});
