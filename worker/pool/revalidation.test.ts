import { expect, it } from 'vitest';
import type { ExtrinsicHash } from '../codec/identity.ts';
import { createRevalidation, defaultRevalidation } from './revalidation.ts';

it('reaches every transaction, however often a pass restarts, and checks none that was removed', async () => {
  const names = Array.from({ length: 8 }, (_, i) => `0x${i}` as ExtrinsicHash);
  let held = names.slice(0, 4);
  const batches: (readonly ExtrinsicHash[])[] = [];
  const revalidation = createRevalidation(
    {
      list: () => held,
      revalidate: async (hashes) => {
        batches.push(hashes);
        // A block changes the pool during each of the first batches; the first removed two and added more.
        held = names.filter((_, i) => i !== 0 && i !== 3);
        if (batches.length < 9) revalidation.onBlock(batches.length, false, true);
      },
      now: () => 0,
      sleep: async () => undefined,
      onError: (error) => {
        throw error;
      },
    },
    { ...defaultRevalidation, minBatch: 2 },
  );
  revalidation.onBlock(0, false, true);
  await revalidation.idle();
  expect([...new Set(batches.slice(0, 5).flat())].sort()).toEqual(names.filter((_, i) => i !== 3));
});
