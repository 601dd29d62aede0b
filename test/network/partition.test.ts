import { afterEach, expect, test } from 'vitest';
import { checkVotes, withRecords } from '../consensus/grandpa-rig.ts';
import { lastingDatabase } from '../rigs/dev-node.ts';
import { loadDefaultRuntime } from '../rigs/platform.ts';
import { authoritiesPatch } from './authorities.ts';
import { createWallClock, type LinkedNode, link, sealNext, startLinked, until } from './link-rig.ts';

const open: LinkedNode[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.stop();
});

const names = ['Alice', 'Bob', 'Charlie', 'Dave'] as const;
const bestOf = ({ chain }: LinkedNode) => chain.best();
const isFinal = (one: LinkedNode, height: number) => () => one.chain.finalized().number >= height;

test('four authorities, cut two and two, finalize nothing alone; joined again, they have one chain and finalize it', async () => {
  const clock = createWallClock();
  const wasm = await loadDefaultRuntime();
  const chain = { wasm, preset: 'local_testnet', patch: await authoritiesPatch(names) };
  const written = [];
  for (const name of names) {
    const { db, records } = withRecords(lastingDatabase());
    written.push(records);
    open.push(await startLinked(clock, chain, { keys: [`//${name}`], db }));
  }
  const [alice, bob, charlie, dave] = open as [LinkedNode, LinkedNode, LinkedNode, LinkedNode];
  const halves = [
    [alice, bob],
    [charlie, dave],
  ] as const;
  for (const [first, second] of halves) await link(first, second);
  const join = async () => [await link(bob, charlie), await link(dave, alice)];
  const cuts = await join();

  while (bestOf(alice).number < 5) await sealNext(clock, open);
  await Promise.all(open.map((one) => until(one, isFinal(one, 3))));

  for (const cut of cuts) await cut();
  const fork = bestOf(alice);
  for (const [half, blocks] of [
    [halves[0], 4],
    [halves[1], 6],
  ] as const)
    while (bestOf(half[0]).number < fork.number + blocks) await sealNext(clock, half);
  expect(bestOf(bob).hash).toBe(bestOf(alice).hash);
  expect(bestOf(dave).hash).toBe(bestOf(charlie).hash);
  expect(bestOf(charlie).hash).not.toBe(bestOf(alice).hash);
  // Three of four votes are needed.
  for (const one of open) expect(one.chain.finalized().number).toBeLessThanOrEqual(fork.number);

  await join();
  const heads = [bestOf(alice).hash, bestOf(charlie).hash];
  const hasBoth = ({ chain: { view } }: LinkedNode) => heads.every((hash) => view.tree.get(hash) !== null);
  await Promise.all(open.map((one) => until(one, () => hasBoth(one))));
  const joined = Math.max(...open.map((one) => bestOf(one).number));
  while (open.some((one) => bestOf(one).number < joined + 4)) await sealNext(clock, open);
  await Promise.all(open.map((one) => until(one, isFinal(one, joined + 2))));
  const hashes = await Promise.all(open.map((one) => one.chain.loadHashAt(joined + 2)));
  expect(new Set(hashes).size).toBe(1);
  for (const records of written) expect(checkVotes(records)).toBeGreaterThan(4);
});
