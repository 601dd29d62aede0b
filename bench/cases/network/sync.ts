import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startCommand, stopCommand } from '../../commands.ts';
import type { Bench, Line } from '../../figure.ts';
import { median } from '../../measure.ts';
import { writeChainFile } from '../../network/chain-file.ts';
import { watchHeads } from '../../network/heads.ts';

const runs = 3;
const kinds = [
  { blocks: 100, transfers: 100 },
  { blocks: 20, transfers: 1000 },
] as const;

const tabnode = fileURLToPath(new URL('../../../bridge/tabnode.ts', import.meta.url));

const importBlocks = async (...args: readonly string[]): Promise<number> => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...[tabnode, 'import-blocks', '--json', '--binary'],
    ...args,
  ]);
  return (JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { readonly ms: number }).ms;
};

/** Milliseconds from the ready line of a node without blocks until it has all of another's. */
const syncFrom = async (address: string, height: number): Promise<number> => {
  const node = await startCommand('serve', '--tmp', '--bootnodes', address);
  const from = performance.now();
  const heads = await watchHeads(node.ws);
  const until = await heads.reaches(height);
  heads.close();
  await stopCommand(node.child);
  return until - from;
};

const measure = async (folder: string, { blocks, transfers }: (typeof kinds)[number]): Promise<Line> => {
  const [file, base] = [join(folder, `${transfers}.bin`), join(folder, `${transfers}`)];
  const height = await writeChainFile(file, blocks, transfers);
  await importBlocks('--base-path', base, file);
  const listens = ['--listen-addr', '/ip4/127.0.0.1/tcp/0/ws'];
  const source = await startCommand('serve', '--base-path', base, ...listens);
  const pairs: [sync: number, file: number][] = [];
  try {
    for (let run = 0; run < runs; run++)
      pairs.push([await syncFrom(source.addresses[0] ?? '', height), await importBlocks('--tmp', file)]);
  } finally {
    await stopCommand(source.child);
  }
  const [sync, imported] = [median(pairs.map(([ms]) => ms)), median(pairs.map(([, ms]) => ms))];
  return {
    name: `full sync against import-blocks, ${height} blocks, ${transfers} transfers each`,
    value: median(pairs.map(([one, other]) => one / other)),
    unit: '×',
    budget: 1.25,
    note: `${sync.toFixed(0)} and ${imported.toFixed(0)} ms, medians of ${runs}; from the ready line, dialing included`,
  };
};

export const networkSync: Bench = {
  name: 'network-sync',
  about: 'a headless node syncs from another, against import-blocks of the same chain',
  run: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tabnode-sync-'));
    try {
      const lines: Line[] = [];
      for (const kind of kinds) lines.push(await measure(folder, kind));
      return lines;
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};
