import { MissingNodes } from '../trie/missing-nodes.ts';
import type { Backend } from './backend.ts';

/** A read to repeat until its whole path is loaded; it throws `MissingNodes` until then. */
export type PendingRead = () => unknown;

/** Of a loop that goes on as long as there is a value, only so many reads are guessed. */
const mostGuesses = 256;

/** Decodes as most types: a number, a hash, an empty list, an absent option. */
const guessedValue = /* @__PURE__ */ new Uint8Array(128);

/**
 * A state for predicting reads. A key whose path is not in memory reads as absent, or as zeros, and the read is recorded.
 * A single run thus finds all keys that do not depend on missing values. Discard the results of the work.
 */
const createTrialBackend = (
  backend: Backend,
  missing: Uint8Array | null,
  want: (read: PendingRead) => void,
): Backend => {
  const orElse =
    <A extends unknown[], T>(none: T, read: (...args: A) => T) =>
    (...args: A): T => {
      try {
        return read(...args);
      } catch (error) {
        if (!(error instanceof MissingNodes) || error.again === null) throw error;
        want(error.again);
        return none;
      }
    };
  return {
    ...backend,
    isTrial: true,
    get: orElse(missing, backend.get),
    exists: orElse(false, backend.exists),
    valueHash: orElse(null, backend.valueHash),
    nextKey: orElse(null, backend.nextKey),
    visitKeys: orElse(undefined, backend.visitKeys),
    childVisitKeys: orElse(undefined, backend.childVisitKeys),
    childGet: orElse(missing, backend.childGet),
    childExists: orElse(false, backend.childExists),
    childValueHash: orElse(null, backend.childValueHash),
    childNextKey: orElse(null, backend.childNextKey),
  };
};

/**
 * The reads that `work` on a state would miss, regardless of how it ends.
 *
 * @param guesses Runs it once more with zeros for what is missing: work that ends at an absent value may go on with another
 *   one, and so finds what it reads after it. Some of these reads may not be needed.
 */
export const pendingReadsOf = (
  backend: Backend,
  work: (trial: Backend) => unknown,
  guesses = false,
): PendingRead[] => {
  const wanted: PendingRead[] = [];
  const attempt = (missing: Uint8Array | null, limit = Number.POSITIVE_INFINITY): void => {
    const want = (read: PendingRead): void => {
      if (wanted.length < limit) wanted.push(read);
    };
    try {
      work(createTrialBackend(backend, missing, want));
    } catch (error) {
      // With such values, the work may fail in any way. A walk reports its nodes itself.
      if (error instanceof MissingNodes && error.again !== null) wanted.push(error.again);
    }
  };
  attempt(null);
  if (guesses && wanted.length > 0) attempt(guessedValue, wanted.length + mostGuesses);
  return wanted;
};
