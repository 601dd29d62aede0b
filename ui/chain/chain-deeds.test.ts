import { expect, it } from 'vitest';
import { jumpText } from './chain-deeds.ts';

it('a jump says up to which block it would undo final ones', () => {
  const text = 'Make #1 the best block? Final blocks up to #1\u202f200 would be undone.';
  expect(jumpText(1, 'final', 1_200)).toBe(text);
  expect(jumpText(6, 'lost', 5)).toBe('Make #6 the best block? Final blocks up to #5 would be undone.');
  for (const standing of ['best', 'fork', null] as const)
    expect(jumpText(6, standing, 5)).toBe('Make #6 the best block?');
  expect(jumpText(5, 'final', 5)).toBe('Make #5 the best block?');
});
