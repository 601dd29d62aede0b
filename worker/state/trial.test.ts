import { expect, it } from 'vitest';
import { MissingNodes, missingNode } from '../trie/missing-nodes.ts';
import type { Backend } from './backend.ts';
import { type PendingRead, pendingReadsOf } from './trial.ts';

/** A state of which nothing is in memory. */
const createUnread = () => {
  const reads = new Map<PendingRead, number>();
  const get = ([name = 0]: Uint8Array): never => {
    const miss = new MissingNodes([missingNode(new Uint8Array(32).fill(name))]);
    miss.again = () => name;
    reads.set(miss.again, name);
    throw miss;
  };
  const backend = { get } as unknown as Backend;
  const namesOf = (wanted: readonly PendingRead[]): unknown[] => wanted.map((read) => reads.get(read));
  return { backend, namesOf };
};

it('a trial finds what does not depend on a missing value, and with guesses also what follows a present one', () => {
  const { backend, namesOf } = createUnread();
  const work = ({ get }: Backend): void => {
    get(Uint8Array.of(1));
    if (get(Uint8Array.of(2)) === null) throw new Error('no account');
    get(Uint8Array.of(3));
  };
  expect(namesOf(pendingReadsOf(backend, work))).toEqual([1, 2]);
  expect(namesOf(pendingReadsOf(backend, work, true))).toEqual([1, 2, 1, 2, 3]);
});

it('the guesses of an endless loop are bounded', () => {
  const { backend, namesOf } = createUnread();
  let steps = 0;
  const work = ({ get }: Backend): void => {
    while (get(Uint8Array.of(steps & 255)) !== null && steps < 10_000) steps++;
  };
  expect(namesOf(pendingReadsOf(backend, work, true)).length).toBe(257);
  expect(steps).toBe(10_000);
});

it('without a miss, nothing is tried twice', () => {
  let runs = 0;
  const read = pendingReadsOf({} as Backend, () => void runs++, true);
  expect([read, runs]).toEqual([[], 1]);
});
