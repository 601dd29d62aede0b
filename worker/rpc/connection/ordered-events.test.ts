import { expect, it } from 'vitest';
import { NodeError } from '../../../src/protocol/errors.ts';
import { maxStepsWaiting } from '../../../src/protocol/limits.ts';
import type { ChainEvent } from '../../chain/events.ts';
import { followInOrder } from './ordered-events.ts';

const event = {} as ChainEvent;

/** A follow whose n-th step throws the n-th error. */
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
  const end = followInOrder(parts, step, step, () => undefined);
  return { told, errors, emit: () => listener(event), end };
};

it('reports a failed step and continues with the next', async () => {
  const fault = new TypeError('odd');
  const broken = new NodeError('StorageBroken');
  const { told, errors, emit } = follow([fault, broken]);
  emit();
  emit();
  await expect.poll(() => told).toHaveLength(3);
  expect(errors).toEqual([fault, broken]);
});

it('does not report a block or state that was removed in the meantime', async () => {
  const { told, errors, emit } = follow([new NodeError('UnknownBlock'), new NodeError('StateDiscarded')]);
  emit();
  emit();
  await expect.poll(() => told).toHaveLength(3);
  expect(errors).toEqual([]);
});

it('does not report failures after the end', async () => {
  const { told, errors, end } = follow([new TypeError('closed')]);
  end();
  await Promise.resolve();
  await Promise.resolve();
  expect([told.length, errors]).toEqual([1, []]);
});

it('a stuck follow ends when too many events wait, and calls `lose` once', () => {
  let listener: ((event: ChainEvent) => void) | null = null;
  let lost = 0;
  const chain = {
    onEvent: (given: (event: ChainEvent) => void) => {
      listener = given;
      return () => {
        listener = null;
      };
    },
  };
  const never = (): Promise<void> => new Promise(() => undefined);
  followInOrder({ chain, onError: () => undefined }, never, never, () => {
    lost += 1;
  });
  let sent = 0;
  for (; listener !== null && sent <= 2 * maxStepsWaiting; sent++)
    (listener as (event: ChainEvent) => void)(event);
  expect([sent, lost]).toEqual([maxStepsWaiting + 1, 1]);
});
