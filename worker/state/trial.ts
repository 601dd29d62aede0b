import { MissingNodes } from '../trie/missing-nodes.ts';
import type { Backend } from './backend.ts';

/** A read to be tried until its whole path is loaded; it throws `MissingNodes` until then. */
export type Wanted = () => unknown;

/**
 * A state to find out on what some work will read: a key whose path is not in memory reads as if it were not there, and the
 * read is noted. So one run names all keys that do not depend on missing values. What the work makes of it must be dropped.
 */
export const createTrialBackend = (backend: Backend, want: (read: Wanted) => void): Backend => {
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

/** What `work` on a state would miss; how it ends does not matter. */
export const wantedBy = (backend: Backend, work: (trial: Backend) => unknown): Wanted[] => {
  const wanted: Wanted[] = [];
  try {
    work(createTrialBackend(backend, (read) => void wanted.push(read)));
  } catch (error) {
    // On values that are not there the work may fail in any way; a walk names its nodes itself.
    if (error instanceof MissingNodes && error.again !== null) wanted.push(error.again);
  }
  return wanted;
};
