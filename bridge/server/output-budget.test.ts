import { expect, it } from 'vitest';
import { createOutputBudget } from './output-budget.ts';

/** A client for which `bytes` wait, and what is done to it. */
const createReader = (outputBudget: ReturnType<typeof createOutputBudget>) => {
  const done: string[] = [];
  let bytes = 0;
  const outgoing = outputBudget.open({
    unsentBytes: () => bytes,
    end: (reason) => done.push(reason),
    kill: () => done.push('killed'),
  });
  const wait = (now: number): void => {
    bytes = now;
    outgoing.update();
  };
  return { done, wait, leave: outgoing.leave };
};

const bounds = { oneBytes: 40, allBytes: 100 };
const ofAll = ['Too much waits to be sent to all clients, and the most to this one'];

it('ends a client for which more than the bound of one waits', () => {
  const reader = createReader(createOutputBudget(bounds));
  reader.wait(40);
  expect(reader.done).toEqual([]);
  reader.wait(41);
  reader.wait(45);
  expect(reader.done).toEqual(['Too much waits to be sent to this client']);
});

it('ends the client with the most if more than the bound of all waits', () => {
  const outputBudget = createOutputBudget(bounds);
  const [a, b, c] = [
    createReader(outputBudget),
    createReader(outputBudget),
    createReader(outputBudget),
  ] as const;
  a.wait(33);
  b.wait(35);
  expect(outputBudget.isTight()).toBe(true);
  c.wait(32);
  expect([a.done, b.done, c.done]).toEqual([[], [], []]);
  c.wait(33);
  expect([a.done, b.done, c.done]).toEqual([[], ofAll, []]);
  // What waits for a client that is being ended makes no other one end.
  b.wait(36);
  c.wait(34);
  expect([a.done, c.done]).toEqual([[], []]);
  b.leave();
  a.leave();
  expect(outputBudget.isTight()).toBe(false);
});

it('disconnects those that do not even read why, once they hold as much as all may', () => {
  const outputBudget = createOutputBudget(bounds);
  const readers = Array.from({ length: 9 }, () => createReader(outputBudget));
  for (const reader of readers) reader.wait(30);
  expect(readers.map(({ done }) => done.includes('killed'))).toContain(true);
});

it('admits a result at the expense of a client for which more waits', () => {
  const outputBudget = createOutputBudget(bounds);
  const [a, b] = [createReader(outputBudget), createReader(outputBudget)] as const;
  a.wait(40);
  b.wait(20);
  expect(outputBudget.admits(40)).toBe(true);
  expect(outputBudget.admits(50)).toBe(false);
  expect(outputBudget.admits(41)).toBe(false);
  expect(a.done).toEqual([]);
  expect(outputBudget.admits(60)).toBe(false);
  b.wait(25);
  expect(outputBudget.admits(38)).toBe(true);
  expect([a.done, b.done]).toEqual([ofAll, []]);
});
