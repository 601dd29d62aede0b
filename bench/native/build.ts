import { sleep } from '../measure.ts';
import type { Http } from './http.ts';
import type { Running } from './nodes.ts';
import { alternate, eachOf, type Pair, type Sample } from './rounds.ts';
import type { Tools } from './tools.ts';
import { cpuOf } from './usage.ts';

/** How many submissions one request holds. */
const batchSize = 100;

type Created = { readonly hash: string };
type Block = { readonly block: { readonly extrinsics: readonly string[] } };

/** Seals a block, which becomes final at once. */
export const createBlock = ({ call }: Http): Promise<Created> => call('engine_createBlock', true, true);

/** The pool of a native node notices a block after it has answered: until then the next one could be empty. */
const poolIsEmpty = async ({ call }: Http): Promise<void> => {
  while ((await call<string[]>('author_pendingExtrinsics')).length > 0) await sleep(2);
};

/**
 * Milliseconds to submit these transfers and to build one block of them. Only the block that holds them is timed;
 * throws if one is missing.
 */
const buildOne = async (http: Http, transfers: readonly string[]): Promise<number> => {
  const from = performance.now();
  for (let at = 0; at < transfers.length; at += batchSize)
    await http.batch(
      'author_submitExtrinsic',
      transfers.slice(at, at + batchSize).map((text) => [text]),
    );
  const submitMs = performance.now() - from;
  for (let tries = 0; tries < 20; tries++) {
    const building = performance.now();
    const { hash } = await createBlock(http);
    const buildMs = performance.now() - building;
    const { block } = await http.call<Block>('chain_getBlock', hash);
    const included = new Set(block.extrinsics);
    const missing = transfers.filter((text) => !included.has(text)).length;
    if (missing === 0) {
      await poolIsEmpty(http);
      return submitMs + buildMs;
    }
    if (missing < transfers.length) throw new Error(`the block lacks ${missing} of ${transfers.length}`);
  }
  throw new Error('the transfers stayed in the pool');
};

/** Per transfer, in blocks of `size`. */
export const buildAll = async (
  { pid, withHttp }: Running,
  transfers: readonly string[],
  size: number,
): Promise<Sample> =>
  withHttp(async (http) => {
    const cpu = cpuOf(pid);
    let ms = 0;
    for (let at = 0; at < transfers.length; at += size)
      ms += await buildOne(http, transfers.slice(at, at + size));
    return { value: ms / transfers.length, cpu: (cpuOf(pid) - cpu) / transfers.length };
  });

const warmUp = 3000;
const perRound = 1000;

/** Submit and build on nodes that have built blocks of 3,000 transfers: 1,000 transfers each round. */
export const buildWarm =
  (size: number) =>
  async (tools: Tools, rounds: number): Promise<Pair<Sample>[]> => {
    const transfers = await tools.signed(warmUp + rounds * perRound);
    const both = await tools.startBoth(0);
    await eachOf(both, (node) => buildAll(node, transfers.slice(0, warmUp), perRound));
    const measure = (node: Running) => (round: number) => {
      const at = warmUp + round * perRound;
      return buildAll(node, transfers.slice(at, at + perRound), size);
    };
    try {
      return await alternate(rounds, { ours: measure(both.ours), native: measure(both.native) });
    } finally {
      await eachOf(both, ({ stop }) => stop());
    }
  };

/** Submit and build on a node that has just started, a new one each round: `count` transfers from the first block on. */
export const buildFirst =
  ({ size, count }: { readonly size: number; readonly count: number }) =>
  async ({ start, spec, signed }: Tools, rounds: number): Promise<Pair<Sample>[]> => {
    const [path, transfers] = [await spec(0), await signed(count)];
    const measure = (one: typeof start.ours) => async (): Promise<Sample> => {
      const node = await one(path, ['--tmp']);
      try {
        return await buildAll(node, transfers, size);
      } finally {
        await node.stop();
      }
    };
    return alternate(rounds, { ours: measure(start.ours), native: measure(start.native) });
  };

const emptyBlocks = 20;

/** Empty blocks on nodes that have built blocks of transfers. */
export const buildEmpty = async (tools: Tools, rounds: number): Promise<Pair<Sample>[]> => {
  const transfers = await tools.signed(warmUp);
  const both = await tools.startBoth(0);
  await eachOf(both, (node) => buildAll(node, transfers, perRound));
  const measure = (node: Running) => (): Promise<Sample> =>
    node.withHttp(async (http) => {
      const [cpu, from] = [cpuOf(node.pid), performance.now()];
      for (let block = 0; block < emptyBlocks; block++) await createBlock(http);
      const value = (performance.now() - from) / emptyBlocks;
      return { value, cpu: (cpuOf(node.pid) - cpu) / emptyBlocks };
    });
  try {
    return await alternate(rounds, { ours: measure(both.ours), native: measure(both.native) });
  } finally {
    await eachOf(both, ({ stop }) => stop());
  }
};
