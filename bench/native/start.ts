import { type NativeLine, ours } from './line.ts';
import type { Start } from './nodes.ts';
import { alternate, type Pair, type Sample } from './rounds.ts';
import type { Tools } from './tools.ts';
import { cpuOf } from './usage.ts';

/** From the start of the process to its first answer. */
const startOnce = async (start: Start, spec: string, place: readonly string[]): Promise<Sample> => {
  const from = performance.now();
  const node = await start(spec, place);
  const sample = { value: performance.now() - from, cpu: cpuOf(node.pid) };
  await node.stop();
  return sample;
};

/** A new chain on the disk each round. */
const startNew =
  (accounts: number) =>
  async ({ start, spec, withPlace }: Tools, rounds: number): Promise<Pair<Sample>[]> => {
    const path = await spec(accounts);
    const measure = (one: Start) => (): Promise<Sample> => withPlace((place) => startOnce(one, path, place));
    return alternate(rounds, { ours: measure(start.ours), native: measure(start.native) });
  };

/** The same chain again. */
const startAgain =
  (accounts: number) =>
  async ({ start, spec, place }: Tools, rounds: number): Promise<Pair<Sample>[]> => {
    const path = await spec(accounts);
    const places = { ours: place(), native: place() };
    await startOnce(start.ours, path, places.ours);
    await startOnce(start.native, path, places.native);
    return alternate(rounds, {
      ours: () => startOnce(start.ours, path, places.ours),
      native: () => startOnce(start.native, path, places.native),
    });
  };

export const startLines: readonly Omit<NativeLine, 'unit' | 'rounds'>[] = [
  {
    name: 'start-new',
    about: 'start to the first answer, new chain on the disk',
    bar: null,
    measure: startNew(0),
  },
  { name: 'start-again', about: 'the same, opened again', bar: null, measure: startAgain(0) },
  {
    name: 'start-100k-new',
    about: 'first start from a specification of 100,000 accounts, on the disk',
    bar: ours(1200),
    measure: startNew(100_000),
  },
  {
    name: 'start-100k-again',
    about: 'the same, opened again',
    bar: ours(350),
    measure: startAgain(100_000),
  },
];
