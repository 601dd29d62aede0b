import { bytesToKey } from '../../bytes/bytes.ts';
import type { Chain } from '../../chain/chain.ts';
import { prefixLength } from '../../crypto/storage-keys.ts';
import type { Backend } from '../../state/backend.ts';
import { type PendingRead, pendingReadsOf } from '../../state/trial.ts';
import { MissingNodes } from '../../trie/missing-nodes.ts';
import type { RehearsalSteps } from './steps.ts';

/** Keys that are read ahead at the first miss of a walk; four times as many at each later one. */
const firstKeys = 64;
const growth = 4;

/** A trial that takes longer than this is not run again with guessed values: another round of requests is cheaper. */
const longTrialMs = 100;

type Walk = {
  /** The next walk begins behind this key. Null: at the prefix. */
  last: Uint8Array | null;
  /** Keys that are still to be read ahead. */
  left: number;
  /** How many were to be read ahead the last time. */
  size: number;
  isAtEnd: boolean;
  readonly read: PendingRead;
};

/**
 * Reads whole maps ahead of a migration that walks through them. A run begins again at each miss, so a map that is read
 * page by page would be walked once for each page. What is read ahead grows with each miss, so that it is walked a few
 * times only, and a walk that ends early has read at most four times what it needed.
 */
const createWalks = (backend: Backend, noteAhead: () => void) => {
  const walks = new Map<string, Walk>();
  const open = (prefix: Uint8Array): Walk => {
    const walk: Walk = {
      last: null,
      left: 0,
      size: 0,
      isAtEnd: false,
      read: () => {
        if (walk.left === 0 || walk.isAtEnd) return;
        const visit = (key: Uint8Array): boolean => {
          backend.get(key);
          noteAhead();
          walk.last = key.slice();
          walk.left -= 1;
          return walk.left > 0;
        };
        backend.visitKeys({ prefix, start: walk.last, inclusive: false }, visit);
        if (walk.left > 0) walk.isAtEnd = true;
      },
    };
    return walk;
  };
  const idOf = (key: Uint8Array): string => bytesToKey(key.subarray(0, prefixLength));
  /** A walk misses what follows a key. */
  const note = (key: Uint8Array): void => {
    const walk = walks.get(idOf(key)) ?? open(key.slice(0, prefixLength));
    walks.set(idOf(key), walk);
    if (walk.left > 0 || walk.isAtEnd) return;
    walk.size = walk.size === 0 ? firstKeys : walk.size * growth;
    walk.left = walk.size;
  };
  return {
    note,
    /** Whether the walk that misses what follows a key has been noted before. */
    isKnown: (key: Uint8Array): boolean => walks.has(idOf(key)),
    /** The reads of walks that have not come far enough. */
    pending: (): readonly PendingRead[] =>
      [...walks.values()].flatMap(({ left, isAtEnd, read }) => (left > 0 && !isAtEnd ? [read] : [])),
  };
};

/** The same state, which notes where a walk misses something. */
const observed = (backend: Backend, note: (key: Uint8Array) => void): Backend => {
  const noting = <T>(key: Uint8Array, read: () => T): T => {
    try {
      return read();
    } catch (error) {
      if (error instanceof MissingNodes) note(key);
      throw error;
    }
  };
  return {
    ...backend,
    nextKey: (key) => noting(key, () => backend.nextKey(key)),
    visitKeys: (range, visit) => noting(range.prefix, () => backend.visitKeys(range, visit)),
  };
};

/**
 * An attempt that comes to where a walk was read ahead to says so itself: a trial would only walk through the same keys
 * once more.
 */
const noteOnMiss = <T>({ note, isKnown }: ReturnType<typeof createWalks>, attempt: () => T): T => {
  try {
    return attempt();
  } catch (error) {
    if (error instanceof MissingNodes)
      for (const { from, child } of error.nodes)
        if (from !== null && child == null && isKnown(from)) note(from);
    throw error;
  }
};

/**
 * How steps on a state are run: each again, until it misses nothing. `trial` does the same work on a state on which what is
 * missing is absent, and its result is dropped.
 */
export const runReadingAhead = (
  { run, reads: counter, ahead: noteAhead }: Pick<RehearsalSteps, 'run' | 'reads' | 'ahead'>,
  backend: Backend,
  trial: (state: Backend) => unknown,
): Chain['run'] => {
  const walks = createWalks(backend, noteAhead);
  const seen = counter.counted(observed(backend, walks.note));
  const tryAll = (guesses = false): readonly PendingRead[] =>
    counter.during(() => pendingReadsOf(seen, trial, guesses));
  return (attempt) =>
    run(
      () => noteOnMiss(walks, () => counter.during(attempt)),
      (_misses, guesses) => {
        const walking = walks.pending();
        if (walking.length > 0) return walking;
        const from = performance.now();
        const reads = tryAll();
        const ahead = walks.pending();
        const isLong = performance.now() - from > longTrialMs;
        if (!guesses || isLong || ahead.length > 0 || reads.length === 0) return [...reads, ...ahead];
        return tryAll(true);
      },
    );
};
