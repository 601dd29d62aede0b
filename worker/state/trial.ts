import { MissingNodes } from '../trie/missing-nodes.ts';
import type { Backend } from './backend.ts';

/** A read to repeat until its whole path is loaded; it throws `MissingNodes` until then. */
export type PendingRead = () => unknown;

/**
 * A state for predicting reads. A key whose path is not in memory reads as absent, and the read is recorded.
 * A single run thus finds all keys that do not depend on missing values. Discard the results of the work.
 */
export const createTrialBackend = (backend: Backend, want: (read: PendingRead) => void): Backend => {
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
    get: orElse(null, backend.get),
    exists: orElse(false, backend.exists),
    valueHash: orElse(null, backend.valueHash),
    nextKey: orElse(null, backend.nextKey),
    visitKeys: orElse(undefined, backend.visitKeys),
    childVisitKeys: orElse(undefined, backend.childVisitKeys),
    childGet: orElse(null, backend.childGet),
    childExists: orElse(false, backend.childExists),
    childValueHash: orElse(null, backend.childValueHash),
    childNextKey: orElse(null, backend.childNextKey),
  };
};

/** The reads that `work` on a state would miss, regardless of how it ends. */
export const pendingReadsOf = (backend: Backend, work: (trial: Backend) => unknown): PendingRead[] => {
  const wanted: PendingRead[] = [];
  try {
    work(createTrialBackend(backend, (read) => void wanted.push(read)));
  } catch (error) {
    // With absent values, the work may fail in any way. A walk reports its nodes itself.
    if (error instanceof MissingNodes && error.again !== null) wanted.push(error.again);
  }
  return wanted;
};
