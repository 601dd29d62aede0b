import { expect, it } from 'vitest';
import { psp6 } from './dialects/psp6.ts';
import { createFakeNode } from './fake-parts.fixture.ts';
import { createTransactionMethods } from './methods/transaction.ts';

it('a broadcast whose validation throws is not retried at later blocks, and is logged', async () => {
  const node = createFakeNode();
  const fault = new TypeError('odd');
  let submits = 0;
  const pool = {
    ...node.parts.pool,
    submit: () => {
      submits += 1;
      return Promise.reject(fault);
    },
  };
  const context = { caller: {}, dialect: psp6, isShared: true, signal: new AbortController().signal };
  const id = createTransactionMethods().transaction_v1_broadcast(
    { ...node.parts, pool },
    { bytes: Uint8Array.of(4, 4) },
    context as never,
  );
  expect(id).toEqual(expect.any(String));
  await expect.poll(() => node.errors).toEqual([fault]);
  node.grow();
  expect(submits).toBe(1);
});

it('a watched transaction whose validation throws ends with an error, not as invalid, and is logged', async () => {
  const node = createFakeNode();
  const fault = new TypeError('odd');
  const pool = { ...node.parts.pool, submit: () => Promise.reject(fault) };
  const events: unknown[] = [];
  const ended = Promise.withResolvers<void>();
  const sink = { emit: (event: unknown) => events.push(event), end: ended.resolve };
  createTransactionMethods().transactionWatch_v1_submitAndWatch(
    { ...node.parts, pool },
    { bytes: Uint8Array.of(4, 4) },
    sink as never,
    { dialect: psp6 } as never,
  );
  await ended.promise;
  expect(events).toEqual([{ event: 'error', error: 'Verification error: TypeError: odd' }]);
  expect(node.errors).toEqual([fault]);
});
