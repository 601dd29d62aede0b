import { expect, test } from 'vitest';
import { createRandom } from '../../../test/rigs/random.ts';
import { beginSearch, continueSearch } from './ancestor.ts';

/** Compares two chains that are equal up to a height. Returns what is found, and how many blocks were compared. */
const run = (own: number, theirs: number, floor: number, common: number) => {
  let search = beginSearch(own, theirs, floor);
  for (let steps = 1; steps < 100; steps++) {
    const result = continueSearch(search, search.at <= common);
    if (result.kind === 'common') return { found: result.number, steps };
    if (result.kind === 'foreign') return { found: null, steps };
    search = result.search;
  }
  throw new Error('the search does not end');
};

test('the highest common block is found, wherever it is', () => {
  const random = createRandom(1);
  for (let round = 0; round < 20_000; round++) {
    const floor = Math.floor(random() * 50);
    const [own = 0, theirs = 0] = [random(), random()].map((part) => floor + Math.floor(part * 3000));
    const common = Math.floor(random() * (Math.min(own, theirs) + 1));
    const { found, steps } = run(own, theirs, floor, common);
    expect(found).toBe(common < floor ? null : common);
    expect(steps).toBeLessThanOrEqual(26);
  }
});

test('a peer that only has more blocks is asked once, and a short fork is found with few requests', () => {
  expect(run(1000, 90_000, 0, 1000)).toEqual({ found: 1000, steps: 1 });
  expect(run(1000, 1000, 0, 999).steps).toBe(2);
  expect(run(1_000_000, 1_000_000, 999_000, 999_990).steps).toBeLessThanOrEqual(8);
});

test('chains that differ in a final block have no common one', () => {
  expect(run(10, 20, 5, 4)).toMatchObject({ found: null });
  expect(run(5, 5, 5, 4)).toMatchObject({ found: null, steps: 1 });
});
