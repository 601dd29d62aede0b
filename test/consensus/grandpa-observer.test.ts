import { afterEach, expect, test } from 'vitest';
import { findJustification } from '../../worker/codec/justification.ts';
import { decodeGrandpaJustification, grandpaEngine } from '../../worker/consensus/grandpa/codec.ts';
import { createWallClock, type LinkedNode, link, sealNext, startLinked, until } from '../network/link-rig.ts';
import { lastingDatabase } from '../rigs/dev-node.ts';

const open = new Set<LinkedNode>();
afterEach(async () => {
  const nodes = [...open];
  open.clear();
  for (const one of nodes) await one.stop();
});

const clock = createWallClock();
const start = async (keys: readonly string[], db = lastingDatabase()): Promise<LinkedNode> => {
  const made = await startLinked(clock, 'local_testnet', { keys, db });
  open.add(made);
  return made;
};

const isFinal = (one: LinkedNode, height: number) => () => one.chain.finalized().number >= height;
/** The votes stay two blocks behind the best one. */
const finalize = async (nodes: readonly LinkedNode[], height: number): Promise<void> => {
  while ((nodes[0]?.chain.best().number ?? 0) < height + 2) await sealNext(clock, nodes);
  await Promise.all(nodes.map((one) => until(one, isFinal(one, height))));
};

test('a node without keys follows votes and passes them on: two voters finalize that only it links', async () => {
  const [alice, bob, disk] = [await start(['//Alice']), await start(['//Bob']), lastingDatabase()];
  const observer = await start([], disk);
  await link(alice, observer);
  await link(observer, bob);
  await finalize([alice, observer, bob], 4);
  expect(observer.node.parts.voting.rounds()?.best.round).toBeGreaterThan(1n);

  const { chain } = observer;
  const last = await chain.loadBlock(chain.finalized().hash);
  const proof = findJustification(last?.justifications ?? null, grandpaEngine);
  expect(decodeGrandpaJustification(proof as Uint8Array).precommits).toHaveLength(2);

  open.delete(observer);
  await observer.stop();
  const seen = alice.chain.best().number;
  for (let count = 0; count < 4; count++) await sealNext(clock, [alice]);
  expect(alice.chain.finalized().number).toBeLessThanOrEqual(seen);

  const again = await start([], disk);
  await link(again, alice);
  await link(bob, again);
  for (const one of [again, bob]) await until(one, () => one.chain.best().hash === alice.chain.best().hash);
  await finalize([alice, again, bob], seen + 3);
});

test('an observer that joins late finalizes by what its only peer, another observer, sends', async () => {
  const [alice, bob, first] = [await start(['//Alice']), await start(['//Bob']), await start([])];
  await link(alice, first);
  await link(first, bob);
  await finalize([alice, first, bob], 3);
  const late = await start([]);
  await link(late, first);
  await until(late, isFinal(late, 3));
  await finalize([alice, first, bob, late], 7);
  expect(late.node.parts.voting.doubleVotes()).toEqual([]);
});
