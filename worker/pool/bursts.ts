import type { BatchSignatures } from '../executor/batched-signatures.ts';
import type { SignatureCache } from '../executor/signature-cache.ts';
import { yieldNow } from '../tasks/pace.ts';

/** Validations whose signatures are verified together. */
type Burst = {
  readonly signatures: SignatureCache;
  /** Whether the signatures are valid, so that the results count. */
  readonly areValid: Promise<boolean>;
};

/** How many validations share a verdict. Those that come later open another burst. */
const maxSize = 64;
/** Validations with less than this between them, in ms, are a burst. */
const pauseMs = 1;

/**
 * Gathers validations that follow each other closely, until the messages that have already arrived are handled, and has
 * their signatures verified at once.
 */
export const createBursts = (batch: BatchSignatures) => {
  let open: Promise<Burst | null> | null = null;
  let size = 0;
  let running = 0;
  let ended = -pauseMs;
  const begin = async (onClosed: () => void): Promise<Burst | null> => {
    const batched = await batch();
    if (batched === null) {
      onClosed();
      return null;
    }
    const close = async (): Promise<boolean> => {
      await yieldNow();
      onClosed();
      return batched.areValid();
    };
    const areValid = close();
    // Nobody awaits it if all validations fail, as on a node without memory.
    areValid.catch(() => undefined);
    return { signatures: batched.signatures, areValid };
  };
  const join = (): Promise<Burst | null> => {
    if (open === null || size === maxSize) {
      const opened = begin(() => {
        if (open === opened) open = null;
      });
      open = opened;
      size = 0;
    }
    size += 1;
    return open;
  };
  /** The result of `run`, which is repeated without a burst if its signatures are not valid. */
  return async <T>(run: (signatures: SignatureCache | null) => Promise<T>): Promise<T> => {
    const isAlone = running === 0 && performance.now() - ended >= pauseMs;
    running += 1;
    try {
      const burst = isAlone ? null : await join();
      const result = await run(burst?.signatures ?? null);
      return burst === null || (await burst.areValid) ? result : await run(null);
    } finally {
      running -= 1;
      ended = performance.now();
    }
  };
};
