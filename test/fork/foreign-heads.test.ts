import { expect, it } from 'vitest';
import { lastingDatabase } from '../rigs/dev-node.ts';
import { sealOn } from '../rigs/seal-on.ts';
import { liveChain, type OpenedFork, openForkOf } from './fork-rig.ts';

const live = liveChain(9);
const hashOnLive = (number: number): Promise<string> => live().call<string>('chain_getBlockHash', number);

/** No damage of the database, which the blocks of the live chain are not part of. */
const expectRefused = async ({ ask, node }: OpenedFork, hash: string): Promise<void> => {
  const before = node.parts.chain.best();
  expect((await ask('dev_setHead', hash)).error).toMatchObject({
    data: 'UnknownBlock',
    message: expect.stringMatching(/^Block #\d+ does not descend from block #\d+, the base of this fork/),
  });
  expect(node.parts.chain.best()).toEqual(before);
};

it('blocks of the live chain below the base are known, and cannot be the head', async () => {
  const fork = await openForkOf(live().node, { block: '6' });
  await sealOn(fork.node);
  for (const number of [0, 4, 5]) {
    expect(await fork.call('chain_getHeader', await hashOnLive(number))).not.toBeNull();
    await expectRefused(fork, await hashOnLive(number));
  }
  // Those above it are not known.
  await expect(fork.call('dev_setHead', await hashOnLive(8))).rejects.toThrow('Header was not found');
  await fork.call('dev_setHead', await hashOnLive(6));
  await sealOn(fork.node);
  expect(fork.errors).toEqual([]);
  await fork.node.close();
});

it('nor can blocks that the fork has built on an earlier base, which are deleted', async () => {
  const db = lastingDatabase();
  const fork = await openForkOf(live().node, { block: '3', db });
  const left: string[] = [];
  for (let block = 0; block < 4; block++) left.push(await sealOn(fork.node));
  // They are left for another branch.
  await fork.call('dev_setHead', await hashOnLive(3));
  await sealOn(fork.node);
  await fork.call('dev_fork', { rebase: 5 });
  for (const hash of left)
    await expect(fork.call('dev_setHead', hash)).rejects.toThrow('Header was not found');
  // They take no space, either.
  for (const store of ['headers', 'bodies'] as const) expect(await db.range(store)).toHaveLength(1);
  await sealOn(fork.node);
  expect(fork.node.parts.chain.best().number).toBe(6);
  expect(fork.errors).toEqual([]);
  await fork.node.close();
});
