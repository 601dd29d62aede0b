import { expect, it } from 'vitest';
import { createWorld } from './made-up-chain.fixture.ts';

/** On a fork, a validation may need a part of the live chain's state that cannot be read. */

it('a recheck that cannot read changes nothing, and the others are checked', async () => {
  const { pool, submit, world, nonces, watch, order } = createWorld();
  for (const text of ['a:0:9', 'b:0:8', 'c:0:7']) await submit(text);
  const seen = watch('b:0:8');
  world.lost.add('a:0:9');
  nonces.set('b', 1);
  await pool.revalidate();
  expect(order()).toEqual(['a:0:9', 'c:0:7']);
  expect(seen.at(-1)).toBe('invalid');
});

it('what a block displaces goes back, and what is retracted is dropped, if it cannot be read', async () => {
  const { submit, block, world, watch, order, pool } = createWorld();
  for (const text of ['a:0:9', 'b:0:1']) await submit(text);
  await block('one', ['a:0:9']);
  const retracted = watch('a:0:9');
  const displaced = watch('b:0:1');
  world.lost.add('a:0:9').add('b:0:1');
  // Another transaction of the same account has its tags.
  await block('two', ['b:0:2'], [['one', ['a:0:9']]]);
  await pool.idle();
  expect(retracted.at(-1)).toBe('dropped');
  expect(displaced).toEqual(['ready']);
  expect(order()).toEqual(['b:0:1']);
});

it('a list of stored transactions goes on after one that cannot be read', async () => {
  const { pool, extrinsic, world, order } = createWorld();
  world.lost.add('a:0:9');
  const entries = ['a:0:9', 'b:0:8'].map((text) => ({ extrinsic: extrinsic(text), source: 2 as const }));
  await pool.fill(entries);
  expect(order()).toEqual(['b:0:8']);
  expect(world.errors).toMatchObject([{ code: 'NotCached' }]);
});
