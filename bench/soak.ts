import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import type { StatePruning } from '../src/protocol/node.ts';
import { openSqliteDatabase } from '../worker/db/sqlite.ts';
import { storeNames } from '../worker/db/stores.ts';
import { median, timed } from './measure.ts';
import { inUse } from './memory.ts';
import { openNode } from './nodes.ts';

const help = `Usage: npm run soak -- [--blocks N] [--state-pruning archive|archive-canonical|N]

Seals empty blocks over SQLite, N of them (default 100,000), then opens the chain again. Prints memory, time and size
on the disk after 5,000 blocks and at the end, where memory and time should be about the same, and at last what each store
holds. The states of the last 256 blocks are kept unless --state-pruning says otherwise. V8 gets a heap of 160 MB, or the memory of
the process would show how much garbage it lets lie rather than what the node holds.
`;

const early = 5000;
/** Time per block and memory of the process are medians over this many last blocks. */
const sample = 500;

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

const sizeOf = async (path: string): Promise<number> => {
  const sizes = [path, `${path}-wal`].map((file) =>
    stat(file).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
};

/** The contents of each store, in bytes of keys and values. */
const listStores = (path: string): string => {
  const file = new DatabaseSync(path, { readOnly: true });
  const sizes = storeNames.map((name) => {
    const row = file
      .prepare(`SELECT count(*) AS n, sum(length(key) + length(value)) AS size FROM "${name}"`)
      .get();
    return `${name} ${row?.['n']} (${megabytes(Number(row?.['size'] ?? 0))})`;
  });
  file.close();
  return sizes.join(', ');
};

const soak = async (path: string, blocks: number, statePruning: StatePruning): Promise<void> => {
  const node = await openNode('development', {
    db: await openSqliteDatabase(path),
    config: { statePruning },
  });
  const { chain, author } = node.parts;
  let spent: number[] = [];
  let total = 0;
  /** Medians are used, because a single value depends on when the last garbage collection ran. */
  let resident: number[] = [];
  const report = async (): Promise<void> => {
    const used = inUse();
    const disk = await sizeOf(path);
    console.log(
      [
        `${chain.best().number} blocks`,
        `block ${median(spent.slice(-sample)).toFixed(2)} ms, on average ${(total / chain.best().number).toFixed(2)} ms`,
        `longest of the last ${sample}: ${Math.max(...spent.slice(-sample)).toFixed(0)} ms`,
        `RSS ${megabytes(median(resident.slice(-sample)))}`,
        `heap and buffers ${megabytes(used)}`,
        `disk ${megabytes(disk)}, ${(disk / chain.best().number / 1000).toFixed(1)} kB a block`,
      ].join(', '),
    );
    spent = spent.slice(-sample);
    resident = resident.slice(-sample);
  };
  while (chain.best().number < blocks) {
    const { ms, value } = await timed(() => author.seal({ createEmpty: true, finalize: true }));
    if (!value.ok) throw new Error(value.message);
    spent.push(ms);
    total += ms;
    resident.push(process.memoryUsage.rss());
    if (chain.best().number === early) await report();
  }
  await report();
  const closing = await timed(() => node.close());
  console.log(listStores(path));
  const opening = await timed(async () => openNode('development', { db: await openSqliteDatabase(path) }));
  console.log(`closed in ${closing.ms.toFixed(0)} ms, reopened in ${opening.ms.toFixed(0)} ms`);
  await opening.value.close();
};

const { values } = parseArgs({
  options: {
    blocks: { type: 'string', default: '100000' },
    'state-pruning': { type: 'string', default: '256' },
    help: { type: 'boolean' },
  },
});
const mode = values['state-pruning'];
const statePruning = mode === 'archive' || mode === 'archive-canonical' ? mode : Number(mode);
if (values.help === true) console.log(help);
else {
  const folder = await mkdtemp(join(tmpdir(), 'tabnode-soak-'));
  await soak(join(folder, 'chain.sqlite'), Number(values.blocks), statePruning).finally(() =>
    rm(folder, { recursive: true }),
  );
}
process.exit();
