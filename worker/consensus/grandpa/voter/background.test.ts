import { expect, test } from 'vitest';
import { type BlockHash, bytesToBlockHash } from '../../../codec/identity.ts';
import { createMachine, type Effect, loadMachineModule } from './machine.ts';
import { soleVoter, unchecked } from './sole-voter.fixture.ts';

const hashOf = (number: number): BlockHash => bytesToBlockHash(new Uint8Array(32).fill(number));
const block = (number: number) => ({ hash: hashOf(number), number });
const numberOf = (hash: BlockHash): number => Number.parseInt(hash.slice(2, 4), 16);

/** A chain without forks: the hash of a block consists of its number. */
const between = (base: BlockHash, top: BlockHash): BlockHash[] =>
  Array.from({ length: numberOf(top) - numberOf(base) - 1 }, (_, index) => hashOf(numberOf(top) - 1 - index));

test('rounds end in the background, each with its commit', async () => {
  let best = 1;
  const machine = createMachine(
    await loadMachineModule(),
    { between, bestOn: () => block(best) },
    soleVoter(block(0)),
    0,
  );
  const committed: bigint[] = [];
  const act = (effect: Effect): void => {
    if (effect.kind === 'vote') machine.vote(effect.round, { ...effect.vote, ...unchecked });
    if (effect.kind === 'finalized') best++;
    if (effect.kind === 'commit') committed.push(effect.round);
  };
  let rounds = 0n;
  for (let nowMs = 0; rounds < 8n; nowMs += 50) {
    for (const effect of machine.poll(nowMs)) act(effect);
    rounds = machine.report().best.round;
  }
  expect(committed.slice(0, 5)).toEqual([1n, 2n, 3n, 4n, 5n]);
  expect(machine.report().background.length).toBeLessThanOrEqual(2);
});
