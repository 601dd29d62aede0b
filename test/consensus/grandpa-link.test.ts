import { afterEach, expect, test } from 'vitest';
import { findJustification } from '../../worker/codec/justification.ts';
import { decodeGrandpaJustification, grandpaEngine } from '../../worker/consensus/grandpa/codec.ts';
import { createWallClock, type LinkedNode, link, sealNext, startLinked, until } from '../network/link-rig.ts';
import { lastingDatabase } from '../rigs/dev-node.ts';
import { checkVotes, withRecords } from './grandpa-rig.ts';

const open = new Set<LinkedNode>();
afterEach(async () => {
  const nodes = [...open];
  open.clear();
  for (const one of nodes) await one.stop();
});

const start = async (...args: Parameters<typeof startLinked>): Promise<LinkedNode> => {
  const made = await startLinked(...args);
  open.add(made);
  return made;
};
const stop = async (one: LinkedNode): Promise<void> => {
  open.delete(one);
  await one.stop();
};

const isFinal = (one: LinkedNode, height: number) => () => one.chain.finalized().number >= height;

test('two voters in two nodes: 30 blocks final on both, none while one is stopped, and no double vote', async () => {
  const clock = createWallClock();
  const disks = [withRecords(lastingDatabase()), withRecords(lastingDatabase())] as const;
  const alice = await start(clock, 'local_testnet', { keys: ['//Alice'], db: disks[0].db });
  const startBob = () => start(clock, 'local_testnet', { keys: ['//Bob'], db: disks[1].db });
  const bob = await startBob();
  await link(alice, bob);
  // The votes stay two blocks behind the best one.
  for (let height = 10; height <= 30; height += 10) {
    while (alice.chain.best().number < height + 2) await sealNext(clock, [alice, bob]);
    await Promise.all([alice, bob].map((one) => until(one, isFinal(one, height))));
  }

  await stop(bob);
  const seen = bob.chain.best().number;
  while (alice.chain.best().number < seen + 5) await sealNext(clock, [alice]);
  expect(alice.chain.finalized().number).toBeLessThanOrEqual(seen);

  const again = await startBob();
  await link(alice, again);
  await until(again, () => again.chain.best().hash === alice.chain.best().hash);
  while (alice.chain.best().number < seen + 9) await sealNext(clock, [alice, again]);
  await Promise.all([alice, again].map((one) => until(one, isFinal(one, seen + 7))));
  for (const { records } of disks) expect(checkVotes(records)).toBeGreaterThan(10);

  const third = await start(clock, 'local_testnet', { keys: [], finality: { kind: 'manual' } });
  await link(third, alice);
  await until(third, isFinal(third, seen + 7));
  const { chain } = third;
  const last = (await chain.loadHashAt(chain.finalized().number)) as never;
  const proof = findJustification((await chain.loadBlock(last))?.justifications ?? null, grandpaEngine);
  expect(decodeGrandpaJustification(proof as Uint8Array).precommits).toHaveLength(2);
});
