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

const help = `Usage: npm run soak:fork -- [--blocks N]

Seals empty blocks over SQLite on a fork of a chain of the same process, N of them (default 1,000). Prints memory after a garbage
collection, requests to the live chain, and time per block at each tenth: memory and time should be about the same.
`;

/** A chain old enough that the hashes of its blocks are a trie of some depth. */
const baseNumber = 300;

/** A small cache is soon full, so that what grows after it is something else. */
const cacheBytes = 2 * 1024 * 1024;

const seal = async (node: Node, count: number): Promise<number> => {
  const times: number[] = [];
  for (let block = 0; block < count; block++) times.push((await timed(() => sealOn(node))).ms);
  return median(times);
};

const soak = async (path: string, blocks: number): Promise<void> => {
  const live = await createNode(createTestPlatform(), testConfig('development'));
  await seal(live, baseNumber);
  await live.parts.chain.finalize(live.parts.chain.best().hash);
  const { node, origin } = await openForkOf(live, {
    db: await openSqliteDatabase(path),
    changes: { cacheBytes },
  });
  const part = Math.ceil(blocks / 10);
  for (let done = 0; done < blocks; done += part) {
    const ms = await seal(node, part);
    const { requests } = origin.stats();
    console.log(
      `${done + part} blocks: ${(inUse() / 1e6).toFixed(1)} MB, ${ms.toFixed(2)} ms a block, ${requests} requests`,
    );
  }
  await node.close();
  await live.close();
};

const { values } = parseArgs({ options: { blocks: { type: 'string' }, help: { type: 'boolean' } } });
if (values.help === true) console.log(help);
else {
  const folder = await mkdtemp(join(tmpdir(), 'tabnode-fork-soak-'));
  await soak(join(folder, 'chain.sqlite'), Number(values.blocks ?? 1000)).finally(() =>
    rm(folder, { recursive: true }),
  );
}
