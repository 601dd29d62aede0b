import { expect, it } from 'vitest';
import { psp6 } from './dialects/psp6.ts';
import { createFakeNode } from './fake-parts.fixture.ts';
import { createTransactionMethods } from './methods/transaction.ts';

it('a broadcast whose validation throws goes on at no later block, and the log hears why', async () => {
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
