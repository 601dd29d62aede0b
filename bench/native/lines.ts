import { buildEmpty, buildFirst, buildWarm } from './build.ts';
import { importChain } from './import.ts';
import { type NativeLine, ratio } from './line.ts';
import { residentLines } from './memory.ts';
import { rateLines } from './rates.ts';
import { startLines } from './start.ts';
import { walkFirst, walkWarm } from './walk.ts';

const building: readonly NativeLine[] = [
  {
    name: 'build-100',
    about: 'submit + build, blocks of 100 transfers, warm',
    bar: ratio(0.6),
    measure: buildWarm(100),
  },
  {
    name: 'build-1000',
    about: 'submit + build, blocks of 1,000 transfers, warm',
    bar: ratio(0.6),
    measure: buildWarm(1000),
  },
  {
    name: 'build-first-100',
    about: 'submit + build, ten blocks of 100 from the first block after start',
    bar: ratio(0.8),
    measure: buildFirst({ size: 100, count: 1000 }),
  },
  {
    name: 'build-first-1000',
    about: 'submit + build, one block of 1,000, the first after start',
    bar: ratio(0.8),
    measure: buildFirst({ size: 1000, count: 1000 }),
  },
  {
    name: 'build-very-first-100',
    about: 'submit + build, one block of 100, the first after start',
    bar: null,
    measure: buildFirst({ size: 100, count: 100 }),
  },
  { name: 'empty-block', about: 'empty block', bar: null, measure: buildEmpty },
].map((line) => ({ ...line, unit: 'ms', rounds: 5 }));

const imports: readonly NativeLine[] = (['200x100', '20x1000'] as const).flatMap((chain) =>
  (
    [
      ['memory', false, 1],
      ['sqlite', false, 1.1],
      ['memory', true, 1.25],
      ['sqlite', true, null],
    ] as const
  ).map(([storage, isOnOneCore, limit]) => ({
    name: `${isOnOneCore ? 'one-core' : 'import'}-${chain}-${storage}`,
    about: `import of ${chain.replace('x', ' blocks of ')} transfers, ${storage === 'memory' ? 'memory' : 'SQLite'} against native's disk${isOnOneCore ? ', both on one core' : ''}`,
    unit: 'ms',
    bar: limit === null ? null : ratio(limit),
    rounds: 5,
    measure: importChain({ chain, storage, isOnOneCore }),
  })),
);

const walks: readonly NativeLine[] = [
  {
    name: 'walk-warm',
    about: 'all keys of 100,000 accounts, pages of 1,000',
    unit: 'ms',
    bar: ratio(1.2),
    rounds: 5,
    measure: walkWarm,
  },
  {
    name: 'walk-first',
    about: 'the same by a node that has just started',
    unit: 'ms',
    bar: null,
    rounds: 3,
    measure: walkFirst,
  },
];

/** What is measured beside a native node, and what each has to reach. */
export const nativeLines: readonly NativeLine[] = [
  ...imports,
  ...building,
  ...startLines.map((line) => ({ ...line, unit: 'ms' as const, rounds: 5 })),
  ...residentLines.map((line) => ({ ...line, unit: 'MB' as const, rounds: 3 })),
  ...walks,
  ...rateLines,
];
