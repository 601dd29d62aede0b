import { expect, it } from 'vitest';
import { jumpText } from './chain-deeds.ts';

it('a jump says which final blocks it would undo', () => {
  expect(jumpText(1, 'final', 5)).toBe('Make #1 the best block? #2 to #5 are final and would be undone.');
  expect(jumpText(4, 'final', 5)).toBe('Make #4 the best block? #5 is final and would be undone.');
  expect(jumpText(1, 'final', 1_200)).toContain('#2 to #1,200 are final');
  expect(jumpText(6, 'lost', 5)).toBe('Make #6 the best block? Final blocks up to #5 would be undone.');
  for (const standing of ['best', 'fork', null] as const)
    expect(jumpText(6, standing, 5)).toBe('Make #6 the best block?');
  expect(jumpText(5, 'final', 5)).toBe('Make #5 the best block?');
});
