import type { Running } from './nodes.ts';
import { alternate, type Pair, type Sample } from './rounds.ts';
import type { Tools } from './tools.ts';
import { cpuOf } from './usage.ts';

export const walkedAccounts = 100_000;
const pageSize = 1000;

/** The prefix of `System.Account`. */
const accounts = '0x26aa394eea5630e07c48ae0c9558cef7b99d880ec681799c0cf30e8886371da9';

/** Reads all keys of all accounts, page by page. */
export const walk = ({ pid, withHttp }: Running): Promise<Sample> =>
  withHttp(async ({ call }) => {
    const [cpu, from] = [cpuOf(pid), performance.now()];
    let start: string | null = null;
    let count = 0;
    for (;;) {
      const keys: string[] = await call('state_getKeysPaged', accounts, pageSize, start);
      count += keys.length;
      if (keys.length < pageSize) break;
      start = keys.at(-1) ?? null;
    }
    const sample = { value: performance.now() - from, cpu: cpuOf(pid) - cpu };
    if (count < walkedAccounts) throw new Error(`the walk found ${count} keys`);
    return sample;
  });

/** Whole walks over 100,000 accounts; the first of each node warms up. */
export const walkWarm = async (tools: Tools, rounds: number): Promise<Pair<Sample>[]> => {
  const { ours, native } = await tools.readable(walkedAccounts);
  await walk(ours);
  await walk(native);
  return alternate(rounds, { ours: () => walk(ours), native: () => walk(native) });
};

/** The first walk of a node that has just started, a new one each round. */
export const walkFirst = async ({ start, spec }: Tools, rounds: number): Promise<Pair<Sample>[]> => {
  const path = await spec(walkedAccounts);
  const measure = (one: typeof start.ours) => async (): Promise<Sample> => {
    const node = await one(path, ['--tmp']);
    try {
      return await walk(node);
    } finally {
      await node.stop();
    }
  };
  return alternate(rounds, { ours: measure(start.ours), native: measure(start.native) });
};
