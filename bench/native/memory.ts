import { sleep } from '../measure.ts';
import { buildAll, createBlock } from './build.ts';
import { type NativeLine, ratio } from './line.ts';
import type { Running, Start } from './nodes.ts';
import { alternate, type Pair, type Sample } from './rounds.ts';
import type { Tools } from './tools.ts';
import { residentOf } from './usage.ts';
import { walk, walkedAccounts } from './walk.ts';

const blocks = 1000;
const transferCount = 8000;
/** Time in which a node may give memory back. */
const restMs = 1000;

type Work = (node: Running, transfers: readonly string[]) => Promise<unknown>;

/** Resident memory of a node after this work, a new one each round, in memory. */
const residentAfter =
  (work: Work, { accounts = 0, transfers = 0 } = {}) =>
  async ({ start, spec, signed }: Tools, rounds: number): Promise<Pair<Sample>[]> => {
    const [path, texts] = [await spec(accounts), transfers === 0 ? [] : await signed(transfers)];
    const measure = (one: Start) => async (): Promise<Sample> => {
      const node = await one(path, ['--tmp']);
      try {
        await work(node, texts);
        await sleep(restMs);
        return { value: residentOf(node.pid), cpu: null };
      } finally {
        await node.stop();
      }
    };
    return alternate(rounds, { ours: measure(start.ours), native: measure(start.native) });
  };

const sealMany: Work = ({ withHttp }) =>
  withHttp(async (http) => {
    for (let block = 0; block < blocks; block++) await createBlock(http);
  });

export const residentLines: readonly Omit<NativeLine, 'unit' | 'rounds'>[] = [
  {
    name: 'resident-rest',
    about: 'resident memory at rest',
    bar: null,
    measure: residentAfter(async () => undefined),
  },
  {
    name: 'resident-blocks',
    about: 'resident memory after 1,000 empty blocks',
    bar: null,
    measure: residentAfter(sealMany),
  },
  {
    name: 'resident-transfers',
    about: 'resident memory after 8,000 transfers in blocks of 1,000',
    bar: ratio(1),
    measure: residentAfter((node, texts) => buildAll(node, texts, 1000), { transfers: transferCount }),
  },
  {
    name: 'resident-walk',
    about: 'resident memory after a walk over all keys of 100,000 accounts',
    bar: ratio(1),
    measure: residentAfter(walk, { accounts: walkedAccounts }),
  },
];
