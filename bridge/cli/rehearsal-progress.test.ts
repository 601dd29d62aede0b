import { expect, it } from 'vitest';
import { rehearsalProgressText } from './rehearsal-progress.ts';

it('the progress is in keys', () => {
  const progress = {
    requests: 12,
    bytes: 1_200_000,
    items: 1200,
    reading: { pallet: 'System', item: 'Account', keys: 3 },
    executed: 0,
  };
  expect(rehearsalProgressText(progress, true, 4200)).toBe(
    'Read 1,200 keys, now of System.Account; 12 requests, 1.2 MB; 4 s',
  );
  expect(rehearsalProgressText({ ...progress, items: 1, reading: null }, true, 0)).toContain(
    'Read 1 key, now of the state',
  );
  expect(rehearsalProgressText(progress, false, 0)).toContain('now executing;');
  expect(rehearsalProgressText({ ...progress, executed: 65_536 }, false, 0)).toContain(
    'now executing, 65,536 values so far;',
  );
});
