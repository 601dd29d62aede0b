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

const settleMs = 50;
const settleTries = 200;

/**
 * The pool of a native node notices a block after it has answered: until then the next one could be empty. Waiting
 * is not timed, but what the nodes do meanwhile is part of the processor time; asking more often would be too.
 */
const settle = async ({ call }: Http): Promise<void> => {
  for (let tries = 0; tries < settleTries; tries++) {
    await sleep(settleMs);
    if ((await call<string[]>('author_pendingExtrinsics')).length === 0) return;
  }
  throw new Error('the transfers stayed in the pool');
};

/** Milliseconds to submit these transfers and to build one block, and its hash. */
const buildOne = async (http: Http, transfers: readonly string[]): Promise<Created & { ms: number }> => {
  const from = performance.now();
  for (let at = 0; at < transfers.length; at += batchSize)
    await http.batch(
      'author_submitExtrinsic',
      transfers.slice(at, at + batchSize).map((text) => [text]),
    );
  const { hash } = await createBlock(http);
  const ms = performance.now() - from;
  await settle(http);
  return { hash, ms };
};

/** Throws unless the block holds all of these transfers. */
const check = async ({ call }: Http, hash: string, transfers: readonly string[]): Promise<void> => {
  const { extrinsics } = (await call<Block>('chain_getBlock', hash)).block;
  const included = new Set(extrinsics);
  const missing = transfers.filter((text) => !included.has(text)).length;
  if (missing > 0) throw new Error(`block ${hash} lacks ${missing} of ${transfers.length} transfers`);
};

/** Submits the transfers and builds blocks of `size` of them; per transfer. What the blocks hold is checked afterwards. */
export const buildAll = async (
  { pid, withHttp }: Running,
  transfers: readonly string[],
  size: number,
): Promise<Sample> =>
  withHttp(async (http) => {
    const cpuBefore = cpuOf(pid);
    const built: { readonly hash: string; readonly part: readonly string[] }[] = [];
    let ms = 0;
    for (let at = 0; at < transfers.length; at += size) {
      const part = transfers.slice(at, at + size);
      const one = await buildOne(http, part);
      built.push({ hash: one.hash, part });
      ms += one.ms;
    }
    const cpu = cpuOf(pid) - cpuBefore;
    for (const { hash, part } of built) await check(http, hash, part);
    return { value: ms / transfers.length, cpu: cpu / transfers.length };
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
