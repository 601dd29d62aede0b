import { describe, it, vi } from 'vitest';
import { openAt } from '../consensus/verify-rig.ts';
import { useSignatureThreads } from '../rigs/signature-thread.ts';
import { clock, useNativePreset } from './native-pair.ts';
import { hasNativeNode } from './native-rig.ts';
import { compareRandomBlocks } from './random-blocks.ts';

const batches = vi.hoisted(() => ({ areLoaded: true }));
vi.mock(import('../../worker/executor/batched-signatures.ts'), async (load) => {
  const { batchSignatures, ...rest } = await load();
  const loadOr = (...request: Parameters<typeof batchSignatures>) =>
    batches.areLoaded ? batchSignatures(...request) : Promise.reject(new Error('not loaded'));
  return { ...rest, batchSignatures: loadOr };
});

/** In CI few; for a proof, 10,000. */
const count = Number(process.env['RANDOM_BLOCKS'] ?? 200);

describe.skipIf(!hasNativeNode)('random blocks', () => {
  const held = useNativePreset('development');
  const threads = useSignatureThreads();
  const openAs = (areLoaded: boolean) => {
    batches.areLoaded = areLoaded;
    return openAt(clock.startMs, 'development', { keys: [] });
  };

  it(
    'have the same result with a helper, with batches alone, with single signatures, and natively',
    async () => {
      batches.areLoaded = true;
      await compareRandomBlocks(
        held,
        { count, seed: count },
        {
          helper: () => threads.open(clock.startMs),
          batches: () => openAs(true),
          single: () => openAs(false),
        },
      );
    },
    180_000 + count * 300,
  );
});
