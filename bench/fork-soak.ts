import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openForkOf } from '../test/fork/fork-rig.ts';
import { createTestPlatform, testConfig } from '../test/rigs/platform.ts';
import { sealOn } from '../test/rigs/seal-on.ts';
import { openSqliteDatabase } from '../worker/db/sqlite.ts';
import { createNode, type Node } from '../worker/node.ts';
import { median, timed } from './measure.ts';
import { inUse } from './memory.ts';

const help = `Usage: npm run soak:fork -- [--blocks N] [--cache MB] [--local]

Seals empty blocks over SQLite on a fork of a chain of the same process, N of them (default 1,000). Prints memory after a garbage
collection, the memory of the process, requests to the live chain, and time per block at each tenth: memory and time should be about
the same once the cache of trie nodes is full.

  --cache MB   memory limit of trie nodes (default 2: a small cache is soon full, so what grows after it is something else)
  --local      a chain that is no fork, which keeps all states as a fork does, to compare with
`;

/** A chain old enough that the hashes of its blocks are a trie of some depth. */
const baseNumber = 300;

const seal = async (node: Node, count: number): Promise<number[]> => {
  const times: number[] = [];
  for (let block = 0; block < count; block++) times.push((await timed(() => sealOn(node))).ms);
  return times;
};

type Soaked = { readonly node: Node; requests(): number; close(): Promise<void> };

type Options = { readonly cacheBytes: number };

const openLocal = async (path: string, options: Options): Promise<Soaked> => {
  const platform = createTestPlatform({ db: await openSqliteDatabase(path) });
  const node = await createNode(platform, testConfig('development', { statePruning: 'archive', ...options }));
  await seal(node, baseNumber);
  return { node, requests: () => 0, close: () => node.close() };
};

const openFork = async (path: string, options: Options): Promise<Soaked> => {
  const live = await createNode(createTestPlatform(), testConfig('development'));
  await seal(live, baseNumber);
  await live.parts.chain.finalize(live.parts.chain.best().hash);
  const { node, origin } = await openForkOf(live, { db: await openSqliteDatabase(path), changes: options });
  const close = async (): Promise<void> => {
    await node.close();
    await live.close();
  };
  return { node, requests: () => origin.stats().requests, close };
};

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

const soak = async ({ node, requests, close }: Soaked, blocks: number): Promise<void> => {
  const part = Math.ceil(blocks / 10);
  for (let done = 0; done < blocks; done += part) {
    const times = await seal(node, part);
    const mean = times.reduce((sum, ms) => sum + ms, 0) / times.length;
    console.log(
      [
        `${done + part} blocks: ${megabytes(inUse())}`,
        `RSS ${megabytes(process.memoryUsage.rss())}`,
        `${median(times).toFixed(2)} ms a block (mean ${mean.toFixed(2)})`,
        `${requests()} requests`,
      ].join(', '),
    );
  }
  await close();
};

const { values } = parseArgs({
  options: {
    blocks: { type: 'string', default: '1000' },
    cache: { type: 'string', default: '2' },
    local: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});
if (values.help === true) console.log(help);
else {
  const folder = await mkdtemp(join(tmpdir(), 'tabnode-fork-soak-'));
  const path = join(folder, 'chain.sqlite');
  const options: Options = { cacheBytes: Number(values.cache) * 1024 * 1024 };
  const opened = await (values.local === true ? openLocal : openFork)(path, options);
  await soak(opened, Number(values.blocks)).finally(() => rm(folder, { recursive: true }));
}
