import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { NodeOptions } from '../../src/start.ts';
import { openSqliteDatabase } from '../../worker/db/sqlite.ts';
import type { Bench, Line } from '../figure.ts';
import { median, medians, type Spent, timed } from '../measure.ts';
import { openNode, seal } from '../nodes.ts';
import { buildWorker } from '../thread.ts';

const starts = 5;
const reopened = 10_000;
const script = fileURLToPath(new URL('../first-answer.ts', import.meta.url));

type FirstAnswer = Spent & { readonly bestNumber: number };

const firstAnswer = (options: NodeOptions): FirstAnswer => {
  const child = spawnSync(process.execPath, [script, JSON.stringify(options)], { encoding: 'utf8' });
  if (child.status !== 0) throw new Error(`no first answer: ${child.stderr}`);
  return JSON.parse(child.stdout) as FirstAnswer;
};

const medianOfStarts = (options: NodeOptions, bestNumber: number): Spent => {
  const all = Array.from({ length: starts }, () => firstAnswer(options));
  const other = all.find((one) => one.bestNumber !== bestNumber);
  if (other !== undefined) throw new Error(`the chain stands at ${other.bestNumber}, not ${bestNumber}`);
  return medians(all);
};

const note = `fresh process, built worker, median of ${starts}`;

/** Measures and returns the line for the table. */
const starting = (name: string, budget: number, options: NodeOptions, bestNumber: number): Line => {
  const { ms, cpuMs } = medianOfStarts(options, bestNumber);
  return { name, value: ms, cpu: cpuMs, unit: 'ms', budget, note };
};

export const coldStart: Bench = {
  name: 'cold-start',
  about: 'startNode with the development preset to the first answer',
  run: async () => {
    buildWorker();
    return [starting('cold start to first answer', 400, { chain: 'development', seal: 'manual' }, 0)];
  },
};

/**
 * Writes the chain once without finality; then finalizes all of it, with the same result as instant finality.
 */
const measureReopening = async (path: string): Promise<Line[]> => {
  const options: NodeOptions = { chain: 'development', seal: 'manual', storage: { kind: 'sqlite', path } };
  const lines: Line[] = [];
  const name = `reopen ${reopened} blocks`;
  const config = { finality: { kind: 'manual' } } as const;
  const node = await openNode('development', { db: await openSqliteDatabase(path), config });
  const lasting: number[] = [];
  while (node.parts.chain.best().number < reopened) lasting.push((await timed(() => seal(node))).ms);
  await node.close();
  const size = (await stat(path)).size / reopened;
  lines.push(
    {
      name: 'empty block on sqlite, blocks 1–1,000',
      value: median(lasting.slice(100, 1000)),
      unit: 'ms',
      budget: null,
      note: 'nothing final',
    },
    {
      name: 'empty block on sqlite, last 1,000',
      value: median(lasting.slice(-1000)),
      unit: 'ms',
      budget: null,
      note: `nothing final, ${reopened} blocks in the tree`,
    },
    { name: 'sqlite file per empty block', value: size, unit: 'B', budget: null },
    starting(`${name}, none final`, 500, options, reopened),
  );
  const again = await openNode('development', { db: await openSqliteDatabase(path), config });
  const finality = await timed(() => again.parts.chain.finalize(again.parts.chain.best().hash));
  await again.close();
  lines.push(
    { name: `making ${reopened} blocks final`, value: finality.ms, unit: 'ms', budget: null },
    starting(`${name}, all final`, 500, options, reopened),
  );
  return lines;
};

export const reopen: Bench = {
  name: 'reopen',
  about: `a persisted chain of ${reopened} blocks to its first answer`,
  run: async () => {
    buildWorker();
    const folder = await mkdtemp(join(tmpdir(), 'tabnode-bench-'));
    try {
      return await measureReopening(join(folder, 'chain.sqlite'));
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};
