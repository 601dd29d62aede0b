import { expect, it } from 'vitest';
import { readName, readProperties } from './origin-facts.ts';

it('a name has no characters that change what a terminal or a page shows', () => {
  expect(readName('\u001b]0;title\u0007\u202eAsset\u2028\ud800 Hub\n')).toBe(']0;titleAsset Hub');
  expect(readName({ Custom: '\u009b2JParachain' })).toBe('2JParachain');
  expect(readName('x'.repeat(1_000_000))?.length).toBe(100);
  for (const none of ['', '\u200b\n', 5, null, {}, [[]]]) expect(readName(none)).toBeNull();
});

it('properties are those of a chain, or none', () => {
  const usual = { ss58Format: 0, tokenDecimals: [10, 12], tokenSymbol: ['DOT', 'X'], isEthereum: false };
  expect(readProperties(usual)).toEqual(usual);
  const nested = JSON.parse(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`) as unknown;
  const many = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`p${index}`, index]));
  const long = { tokenSymbol: 'X'.repeat(1_000_000) };
  for (const none of [nested, many, long, { list: Array.from({ length: 100_000 }, () => []) }, [], 'x', null])
    expect(readProperties(none)).toEqual({});
});
