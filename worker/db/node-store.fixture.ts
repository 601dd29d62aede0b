import { expect, it } from 'vitest';
import { createNodeStore, type NodeStore, type NodeStoreEngine } from './node-store.ts';

/** A record of a key and a size. */
const key = (number: number): Uint8Array => new Uint8Array(32).fill(number);
const value = (number: number, size = 100): Uint8Array => new Uint8Array(size).fill(number);

type Open = () => Promise<NodeStoreEngine>;
type Empty = () => void | Promise<void>;

/** Stores over an engine, with a clock that the test moves. */
const createRig = (open: Open) => {
  let nowMs = Date.UTC(2030, 0, 1);
  const create = (limitBytes: number): NodeStore & { readonly errors: unknown[] } => {
    const errors: unknown[] = [];
    const deps = {
      open,
      now: () => nowMs,
      schedule: (ms: number, run: () => void) => {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
      },
      onError: (error: unknown) => void errors.push(error),
    };
    return { ...createNodeStore(deps, limitBytes), errors };
  };
  const have = async (numbers: readonly number[]): Promise<boolean[]> => {
    const store = create(1e9);
    const found = await store.read(numbers.map(key));
    await store.close();
    return found.map((one) => one !== null);
  };
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  return { create, have, pass };
};

const describeRecords = (open: Open, empty: Empty): void => {
  const { create, have } = createRig(open);

  it('keeps records until another process reads them', async () => {
    await empty();
    const store = create(1e6);
    store.add(key(1), value(1));
    store.add(key(2), value(2, 300_000));
    await store.close();
    const again = create(1e6);
    expect(await again.read([key(2), key(3), key(1)])).toEqual([value(2, 300_000), null, value(1)]);
    await again.close();
    expect([...store.errors, ...again.errors]).toEqual([]);
  });

  it('keeps the first value of a key, unless it is replaced', async () => {
    await empty();
    const store = create(1e6);
    store.add(key(1), value(1));
    store.add(key(2), value(1));
    await store.close();
    const other = create(1e6);
    other.add(key(1), value(2, 20));
    other.add(key(2), value(2, 20), true);
    await other.close();
    const third = create(1e6);
    expect(await third.read([key(1), key(2)])).toEqual([value(1), value(2, 20)]);
    await third.close();
    // The bytes are counted right: with 120 of them, there is room for 100 more.
    const full = create(220);
    full.add(key(3), value(3, 100));
    await full.close();
    expect(await have([1, 2, 3])).toEqual([true, true, true]);
  });

  it('is used by several at once', async () => {
    await empty();
    const [one, other] = [create(1e6), create(1e6)];
    await Promise.all([one.read([key(1)]), other.read([key(1)])]);
    for (let number = 0; number < 100; number++) (number % 2 === 0 ? one : other).add(key(number), value(7));
    await Promise.all([one.close(), other.close()]);
    expect((await have(Array.from({ length: 100 }, (_, number) => number))).every(Boolean)).toBe(true);
    expect([...one.errors, ...other.errors]).toEqual([]);
  });
};

const describeLimit = (open: Open, empty: Empty): void => {
  const { create, have, pass } = createRig(open);
  it('removes what was not used for longest once its limit is exceeded', async () => {
    await empty();
    const first = create(1e6);
    for (let number = 0; number < 10; number++) first.add(key(number), value(number));
    await first.close();
    pass(2 * 3_600_000);
    const second = create(1e6);
    expect((await second.read([key(0), key(1), key(2)])).every((one) => one !== null)).toBe(true);
    await second.close();
    pass(2 * 3_600_000);
    // Room for those that were used again and the new ones, and not for another one.
    const third = create(570);
    for (let number = 20; number < 22; number++) third.add(key(number), value(number));
    await third.close();
    expect(await have([0, 1, 2, 20, 21])).toEqual([true, true, true, true, true]);
    expect((await have([3, 4, 5, 6, 7, 8, 9])).some(Boolean)).toBe(false);
  });
};

/** How a store of nodes behaves over any engine. `open` opens the same records again; `empty` deletes them. */
export const describeNodeStore = (open: Open, empty: Empty): void => {
  describeRecords(open, empty);
  describeLimit(open, empty);
};
