import { expect, test } from 'vitest';
import { bytesToBlockHash } from '../../../codec/identity.ts';
import { createMachine, loadMachineModule } from './machine.ts';
import { soleVoter, unchecked } from './sole-voter.fixture.ts';

test('one voter in a browser asks for its prevote and, with it, for its precommit', async () => {
  const module = await loadMachineModule();
  const base = { hash: bytesToBlockHash(new Uint8Array(32)), number: 0 };
  const best = { hash: bytesToBlockHash(new Uint8Array(32).fill(1)), number: 1 };
  const chain = {
    between: (from: string, to: string) => (from === base.hash && to === best.hash ? [] : null),
  };
  const machine = createMachine(module, { ...chain, bestOn: () => best }, soleVoter(base), 0);
  expect(machine.poll(0)).toEqual([{ kind: 'round', round: 1n }]);
  expect(machine.dueMs()).toBe(200);
  const prevote = { kind: 0, target: best } as const;
  expect(machine.poll(200)).toEqual([{ kind: 'vote', round: 1n, vote: prevote }]);
  expect(machine.vote(1n, { ...prevote, ...unchecked })).toBe(true);
  const precommit = { kind: 1, target: best } as const;
  expect(machine.poll(400)).toEqual([{ kind: 'vote', round: 1n, vote: precommit }]);
  machine.vote(1n, { ...precommit, ...unchecked });
  expect(machine.poll(400).map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['finalized', 'completed', 'round']),
  );
  expect(machine.report().best).toMatchObject({ round: 2n, thresholdWeight: 1n });
});
