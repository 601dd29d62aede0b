import { expect, test } from 'vitest';
import { fuzz } from './fuzz.ts';

const frames = 4000;

test('some thousand frames of peers that attack are borne, and reach each protocol in each state', async () => {
  const result = await fuzz({ seed: 7, frames });
  expect(result.frames).toBeGreaterThanOrEqual(frames);
  expect(Object.keys(result.byKind).sort()).toEqual([
    'block-announces/1',
    'block-announces/1, acceptance',
    'grandpa/1',
    'grandpa/1, acceptance',
    'handshake',
    'kad',
    'light/2',
    'sync/2',
    'sync/2, response',
    'sync/warp',
    'transactions/1',
    'transactions/1, acceptance',
    'yamux',
  ]);
});
