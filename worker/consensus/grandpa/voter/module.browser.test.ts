import { expect, test } from 'vitest';
import { bytesToBlockHash } from '../../../codec/identity.ts';
import { createMachine, loadMachineModule } from './module.ts';

test('one voter in a browser asks for its prevote and, with it, for its precommit', async () => {
  const module = await loadMachineModule();
  const base = { hash: bytesToBlockHash(new Uint8Array(32)), number: 0 };
  const best = { hash: bytesToBlockHash(new Uint8Array(32).fill(1)), number: 1 };
  const publicKey = new Uint8Array(32).fill(1);
  const chain = {
    between: (from: string, to: string) => (from === base.hash && to === best.hash ? [] : null),
  };
  const start = {
    setId: 0n,
    authorities: [{ publicKey, weight: 1n }],
    local: publicKey,
    gossipMs: 100,
    round: 0n,
    votes: [],
    base,
    finalized: base,
  };
  const machine = createMachine(module, { ...chain, bestOn: () => best }, start, 0);
  expect(machine.poll(0)).toEqual([{ kind: 'round', round: 1n }]);
  expect(machine.dueMs()).toBe(200);
  const prevote = { kind: 0, target: best } as const;
  expect(machine.poll(200)).toEqual([{ kind: 'vote', round: 1n, vote: prevote }]);
  const signed = { signature: new Uint8Array(64), voter: publicKey };
  expect(machine.vote(1n, { ...prevote, ...signed })).toBe(true);
  const precommit = { kind: 1, target: best } as const;
  expect(machine.poll(400)).toEqual([{ kind: 'vote', round: 1n, vote: precommit }]);
  machine.vote(1n, { ...precommit, ...signed });
  expect(machine.poll(400).map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['finalized', 'completed', 'round']),
  );
  expect(machine.report().best).toMatchObject({ round: 2n, thresholdWeight: 1n });
});
