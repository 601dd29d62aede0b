import { expect, it } from 'vitest';
import { createPageNames } from './page-names.ts';

const tab = (name: string, origin = 'http://localhost') => ({ origin, tab: name });

it('adds a number to a name that is taken, ignoring case, and never takes over a name', () => {
  const names = createPageNames(() => 0);
  expect(names.claim('Dev', tab('a'))).toBe('Dev');
  expect(names.claim('dev', tab('b'))).toBe('dev-2');
  expect(names.claim('Dev', tab('a', 'https://other.example'))).toBe('Dev-3');
  expect(names.claim('Dev', tab('a'))).toBe('Dev');
});

it('gives out no reserved path, and removes accents', () => {
  const names = createPageNames(() => 0);
  expect(names.claim('Health', tab('a'))).toBe('Health-2');
  expect(names.claim('Été', tab('b'))).toBe('Ete');
});

it('reserves a name for its tab for a minute', () => {
  let now = 0;
  const names = createPageNames(() => now);
  names.claim('Dev', tab('a'));
  names.release('Dev');
  now = 59_999;
  expect(names.claim('Dev', tab('b'))).toBe('Dev-2');
  expect(names.claim('Dev', tab('a'))).toBe('Dev');
  names.release('Dev');
  now = 119_999;
  expect(names.claim('Dev', tab('c'))).toBe('Dev');
});
