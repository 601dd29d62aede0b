import { expect, it } from 'vitest';
import { NodeError } from '../../src/protocol/errors.ts';
import type { ChainEvent } from '../chain/events.ts';
import { followInOrder } from './ordered.ts';

const event = {} as ChainEvent;

/** A follow whose n-th step throws the n-th fault. */
const follow = (faults: readonly (Error | null)[]) => {
  const told: unknown[] = [];
  const errors: unknown[] = [];
  let listener = (_event: ChainEvent): void => undefined;
  const step = async (): Promise<void> => {
    const fault = faults[told.length] ?? null;
    told.push(fault);
    if (fault !== null) throw fault;
  };
  const parts = {
    chain: {
      onEvent: (given: typeof listener) => {
        listener = given;
        return () => undefined;
      },
    },
    onError: (error: unknown) => void errors.push(error),
  };
  const end = followInOrder(parts, step, step);
  return { told, errors, emit: () => listener(event), end };
};

it('a step that fails is told, and the next one follows', async () => {
  const fault = new TypeError('odd');
  const broken = new NodeError('StorageBroken');
  const { told, errors, emit } = follow([fault, broken]);
  emit();
  emit();
  await expect.poll(() => told).toHaveLength(3);
  expect(errors).toEqual([fault, broken]);
});

it('a block or a state that went meanwhile is no fault', async () => {
  const { told, errors, emit } = follow([new NodeError('UnknownBlock'), new NodeError('StateDiscarded')]);
  emit();
  emit();
  await expect.poll(() => told).toHaveLength(3);
  expect(errors).toEqual([]);
});

it('nor is what fails after the end', async () => {
  const { told, errors, end } = follow([new TypeError('closed')]);
  end();
  await Promise.resolve();
  await Promise.resolve();
  expect([told.length, errors]).toEqual([1, []]);
});
