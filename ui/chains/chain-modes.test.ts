import { expect, test } from 'vitest';
import { firstModes, readModes } from './chain-modes.ts';

test('modes come back as they were kept; what is none is as on a new chain', () => {
  const kept = { seal: { kind: 'interval', ms: 6000 }, finality: 'manual', clock: 'wall' } as const;
  expect(readModes(JSON.stringify(kept))).toEqual(kept);
  expect(readModes(JSON.stringify({ seal: { kind: 'slots', ms: 1 } })).seal).toEqual({ kind: 'slots' });
  for (const text of [
    null,
    '',
    'no',
    '3',
    '[]',
    '{"seal":{"kind":"interval","ms":-1},"finality":1,"clock":{}}',
  ])
    expect(readModes(text)).toEqual(firstModes);
});
