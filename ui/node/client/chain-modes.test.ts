import { expect, test } from 'vitest';
import { firstModes, readModes } from './chain-modes.ts';

test('reads stored modes back; invalid ones fall back to the defaults', () => {
  const kept = {
    seal: { kind: 'interval', ms: 6000 },
    finality: { kind: 'manual' },
    clock: 'wall',
    states: 'archive',
  } as const;
  expect(readModes(JSON.stringify(kept))).toEqual(kept);
  expect(readModes(JSON.stringify({ seal: { kind: 'slots', ms: 1 } })).seal).toEqual({ kind: 'slots' });
  for (const finality of [{ kind: 'instant' }, { kind: 'delayed', ms: 10 }, { kind: 'delayed', blocks: 2 }])
    expect(readModes(JSON.stringify({ ...kept, finality })).finality).toEqual(finality);
  for (const text of [
    null,
    '',
    'no',
    '3',
    '[]',
    '{"seal":{"kind":"interval","ms":-1},"finality":1,"clock":{}}',
    '{"seal":{"kind":"interval","ms":"9"},"finality":{"kind":"delayed","ms":null},"clock":"Wall"}',
    '{"seal":{"kind":["manual"]},"finality":[],"clock":null}',
    '{"seal":null}',
  ])
    expect(readModes(text)).toEqual(firstModes);
});

test('reads modes stored before delayed finality existed: manual was chosen, instant was the default', () => {
  expect(readModes('{"finality":"manual"}').finality).toEqual({ kind: 'manual' });
  expect(readModes('{"finality":"instant"}').finality).toBeNull();
});
