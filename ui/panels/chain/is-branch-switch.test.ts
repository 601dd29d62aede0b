import { expect, it } from 'vitest';
import { isBranchSwitch } from './chain-actions.svelte.ts';

const chain = { best: { number: 5 } } as Parameters<typeof isBranchSwitch>[2];

it.each([
  ['final', 3, false],
  ['best', 5, false],
  [null, 4, false],
  ['fork', 4, true],
  ['lost', 2, true],
  ['off', 4, true],
  // Above the best block, after a roll back.
  ['best', 6, true],
  [null, 9, true],
] as const)('a move to a block that is %s at #%i of 5: aside or forward %s', (standing, number, aside) => {
  expect(isBranchSwitch(standing, number, chain)).toBe(aside);
});
