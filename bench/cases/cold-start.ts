import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { NodeOptions } from '../../src/start.ts';
import { openSqliteDatabase } from '../../worker/db/sqlite.ts';
import type { Bench, Line } from '../figure.ts';
import { median, timed } from '../measure.ts';
import { openNode, seal } from '../nodes.ts';
import { buildWorker } from '../thread.ts';

const starts = 5;
const reopened = 10_000;
const script = fileURLToPath(new URL('../first-answer.ts', import.meta.url));

const firstAnswer = (options: NodeOptions): { ms: number; bestNumber: number } => {
  const child = spawnSync(process.execPath, [script, JSON.stringify(options)], { encoding: 'utf8' });
  if (child.status !== 0) throw new Error(`no first answer: ${child.stderr}`);
  return JSON.parse(child.stdout) as { ms: number; bestNumber: number };
};

const medianOfStarts = (options: NodeOptions, bestNumber: number): number => {
  const all = Array.from({ length: starts }, () => firstAnswer(options));
  const other = all.find((one) => one.bestNumber !== bestNumber);
  if (other !== undefined) throw new Error(`the chain stands at ${other.bestNumber}, not ${bestNumber}`);
  return median(all.map(({ ms }) => ms));
};

const note = `fresh process, built worker, median of ${starts}`;

export const coldStart: Bench = {
  name: 'cold-start',
  about: 'startNode with the development preset to the first answer',
  run: async () => {
    buildWorker();
    const ms = medianOfStarts({ chain: 'development', seal: 'manual' }, 0);
    return [{ name: 'cold start to first answer', value: ms, unit: 'ms', budget: 400, note }];
  },
};

/** The chain is written once, nothing final; then all of it is made final, which is how instant finality leaves it. */
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
    { name: `${name}, none final`, value: medianOfStarts(options, reopened), unit: 'ms', budget: 500, note },
  );
  const again = await openNode('development', { db: await openSqliteDatabase(path), config });
  const finality = await timed(() => again.parts.chain.finalize(again.parts.chain.best().hash));
  await again.close();
  lines.push(
    { name: `making ${reopened} blocks final`, value: finality.ms, unit: 'ms', budget: null },
    { name: `${name}, all final`, value: medianOfStarts(options, reopened), unit: 'ms', budget: 500, note },
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
