import { expect, test } from 'vitest';
import { finalityText } from './finality-text.ts';

test.each([
  [{ kind: 'delayed', ms: 1500 }, 'Blocks are finalized 1.5 s after they become best.'],
  [{ kind: 'delayed', blocks: 1 }, 'Blocks are finalized when the next block follows.'],
  [{ kind: 'delayed', blocks: 3 }, 'Blocks are finalized when 3 more blocks follow.'],
  [{ kind: 'instant' }, 'Blocks are finalized immediately. Switch to manual to create forks.'],
  [{ kind: 'manual' }, 'Blocks stay unfinalized until you finalize them, so you can build forks.'],
  [{ kind: 'grandpa' }, 'Blocks are finalized by the votes of the GRANDPA authorities.'],
] as const)('%o reads: %s', (mode, text) => {
  expect(finalityText(mode)).toBe(text);
});
