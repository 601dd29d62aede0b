import registry from '@substrate/ss58-registry';
import { expect, test } from 'vitest';
import { isRegistered, registeredPrefixes } from './ss58.ts';

/** An address has 14 bits for it. */
const maxPrefix = 16_383;
const known = new Set(registry.map(({ prefix }) => prefix).filter((prefix) => prefix <= maxPrefix));

test('the prefixes are those of the registry', () => {
  const ranges: [from: number, to: number][] = [];
  for (const prefix of [...known].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === prefix - 1) last[1] = prefix;
    else ranges.push([prefix, prefix]);
  }
  const text = ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(' ');
  expect(registeredPrefixes).toBe(text);
});

test('each prefix is found, and no other', () => {
  const found = Array.from({ length: maxPrefix + 1 }, (_, prefix) => prefix).filter(isRegistered);
  expect(new Set(found)).toEqual(known);
});
