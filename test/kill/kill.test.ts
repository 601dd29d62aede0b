import { expect, it } from 'vitest';
import { kill } from './points.ts';

it.each(['memory', 'sqlite', 'idb'] as const)(
  'on %s: 50 writes that fail or hang, or during which the process ends, do no harm',
  async (backend) => {
    const tally = await kill({ backend, points: 50, seed: 20261122 });
    const steps = new Set([...tally.keys()].map((label) => label.split(':')[0]));
    expect([...steps].sort()).toEqual(['finalise', 'flush', 'fork', 'import', 'repair', 'seal', 'setHead']);
  },
  240_000,
);
