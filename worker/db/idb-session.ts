import { NodeError } from '../../src/protocol/errors.ts';
import { closedError } from './database.ts';
import { createKnown, type Known } from './idb-known.ts';
import {
  diskFull,
  type IdbOptions,
  isClosed,
  isLost,
  openConnection,
  readStore,
  type SchemaDb,
  toNodeError,
} from './idb-open.ts';
import { countSeizures, takeTurn } from './idb-turns.ts';

/**
 * The use of a chain's IndexedDB over several connections. A browser may close a database at any moment; Safari does so
 * in pages that it suspends. Then it is opened again, and calls without a result are made once more, in order. Repeating
 * a write is harmless, because it is one transaction of fixed changes.
 */
export type IdbSession = {
  /** Starts `action` at once if the database is open, so calls take effect in the order they are made. */
  run<T>(action: (db: SchemaDb, turn: number) => Promise<T>, isWrite?: boolean): Promise<T>;
  /** Must be informed of the records of `meta` that are read and written. */
  readonly known: Known;
  /** Why the database cannot be used; null if it can, or is being opened for the first time after it was closed. */
  fault(): NodeError | null;
  close(): Promise<void>;
};

/** A call without a result. `attempts`: on how many connections it was made. */
type Job = {
  readonly start: (db: SchemaDb) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: NodeError) => void;
  attempts: number;
  /** Position in the order of the calls. */
  readonly place: number;
  readonly isWrite: boolean;
};

/** Pauses before the attempts to open the database again, and the time limit of each. */
const pausesMs = [0, 100, 300, 1000, 2000] as const;
const attemptMs = 5000;
/** A call that is interrupted so often may be the reason why the browser closes the database. */
const maxAttempts = 4;
/** A database that was closed again so soon after it was opened is only opened when it is needed. */
const steadyMs = 1000;

const changedError = (): NodeError =>
  new NodeError('ChainInUse', 'Another tab changed this chain after the browser had closed its database');

/** Throws `ChainInUse` if it is another database than the closed one, or if someone else has written to it. */
const checkSame = async (db: SchemaDb, turn: number, known: Known): Promise<void> => {
  if ((await countSeizures(db)) !== turn) throw changedError();
  const keys = known.keys();
  const store = readStore(db, 'meta');
  const found = await Promise.all(keys.map((key) => store.get(new Uint8Array(key).buffer)));
  if (!keys.every((key, at) => known.fits(key, found[at] ?? null))) throw changedError();
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Opens the database that the browser has closed. Resolves to an error if that fails or `isOver`. */
const openAgain = async (
  open: () => Promise<SchemaDb>,
  check: (db: SchemaDb) => Promise<void>,
  isOver: () => boolean,
): Promise<SchemaDb | NodeError> => {
  let error = closedError();
  for (const ms of pausesMs) {
    if (ms > 0) await pause(ms);
    if (isOver()) return closedError();
    const opened = await open().catch((cause: unknown) => toNodeError(cause, true));
    if (opened instanceof NodeError) error = opened;
    else {
      const fault = await check(opened).catch((cause: unknown) => toNodeError(cause));
      if (fault === undefined) return opened;
      opened.close();
      error = fault;
    }
    if (isLost(error)) return error;
  }
  if (error.code !== 'StorageBroken') return error;
  const { message } = error;
  return closedError(`The browser closed the database and does not open it again (${message})`);
};

/** The calls without a result. `onClosed` is called when one of them finds its connection closed. */
const createJobs = (onClosed: (db: SchemaDb) => void, onFailed: (error: NodeError) => void) => {
  const jobs = new Set<Job>();
  let idle = (): void => undefined;
  let last = 0;
  /** Of the last write that succeeded. */
  let written = 0;
  const remove = (job: Job): void => {
    jobs.delete(job);
    if (jobs.size === 0) idle();
  };
  const failed = (job: Job, db: SchemaDb, cause: unknown): void => {
    const isInterrupted = isClosed(db);
    if (!jobs.has(job)) return;
    if (!isInterrupted || job.attempts >= maxAttempts) {
      const error = toNodeError(cause);
      remove(job);
      job.reject(error);
      onFailed(error);
    }
    if (isInterrupted) onClosed(db);
  };
  const begin = (job: Job, db: SchemaDb): void => {
    job.attempts += 1;
    job.start(db).then(
      (value) => {
        remove(job);
        if (job.isWrite) written = Math.max(written, job.place);
        job.resolve(value);
      },
      (cause: unknown) => failed(job, db, cause),
    );
  };
  return {
    hasAny: () => jobs.size > 0,
    /** `db`: null if the database has to be opened first. */
    add: (db: SchemaDb | null, isWrite: boolean, start: Job['start']): Promise<unknown> =>
      new Promise((resolve, reject) => {
        last += 1;
        const job: Job = { start, resolve, reject, attempts: 0, place: last, isWrite };
        jobs.add(job);
        if (db !== null) begin(job, db);
      }),
    beginAll: (db: SchemaDb): void => {
      for (const job of [...jobs]) {
        if (job.place > written) begin(job, db);
        else {
          // Out of its turn, it would undo the later write, or read what it must not see yet.
          remove(job);
          job.reject(closedError('The browser closed the database during this call'));
        }
      }
    },
    rejectAll: (error: NodeError): void => {
      for (const job of [...jobs]) {
        remove(job);
        job.reject(error);
      }
    },
    /** Resolves once every call has a result. */
    settled: (): Promise<void> =>
      new Promise((resolve) => {
        idle = resolve;
        if (jobs.size === 0) resolve();
      }),
  };
};

/** Opens the database for the first time. */
const openFirst = async (
  open: () => Promise<SchemaDb>,
  isSeizing: boolean,
): Promise<readonly [SchemaDb, number]> => {
  const db = await open();
  const turn = await takeTurn(db, isSeizing).catch((cause: unknown) => {
    db.close();
    throw toNodeError(cause);
  });
  return [db, turn];
};

type State = {
  /** Null while it is closed. */
  db: SchemaDb | null;
  openedMs: number;
  isOpening: boolean;
  /** Whether it is never opened again. */
  isOver: boolean;
  fault: NodeError | null;
};

type Reopening = {
  readonly open: () => Promise<SchemaDb>;
  readonly check: (db: SchemaDb) => Promise<void>;
  readonly onLost: (error: NodeError) => void;
};

/** Opens the database again whenever the browser has closed it, and makes the calls that this interrupted. */
const createKeeper = (state: State, { open, check, onLost }: Reopening) => {
  const lose = (error: NodeError): void => {
    if (state.isOver) return;
    Object.assign(state, { fault: error, isOver: true });
    state.db?.close();
    state.db = null;
    jobs.rejectAll(error);
    onLost(error);
  };
  const reopen = async (): Promise<void> => {
    if (state.isOpening || state.isOver) return;
    state.isOpening = true;
    const opened = await openAgain(open, check, () => state.isOver).finally(() => {
      state.isOpening = false;
    });
    if (state.isOver) {
      if (!(opened instanceof NodeError)) opened.close();
    } else if (!(opened instanceof NodeError)) {
      Object.assign(state, { db: opened, openedMs: performance.now(), fault: null });
      jobs.beginAll(opened);
    } else if (isLost(opened)) lose(opened);
    else {
      state.fault = opened;
      jobs.rejectAll(opened);
    }
  };
  const interrupted = (closed: SchemaDb): void => {
    closed.close();
    if (closed !== state.db) return;
    state.db = null;
    if (state.isOver) jobs.rejectAll(closedError());
    else if (jobs.hasAny() || performance.now() - state.openedMs > steadyMs) void reopen();
  };
  const jobs = createJobs(interrupted, (error) => {
    if (error.code === 'ChainInUse') lose(error);
    // The browser closes a database for which the disk has no room. The next call opens it again.
    else if (error.message === diskFull && !state.isOver) {
      state.fault = error;
      state.db?.close();
      state.db = null;
    }
  });
  return { jobs, lose, reopen, interrupted };
};

/** Throws as `openIdbEngine` does. */
export const openIdbSession = async (name: string, options: IdbOptions): Promise<IdbSession> => {
  const known = createKnown();
  const state: State = {
    db: null,
    openedMs: performance.now(),
    isOpening: false,
    isOver: false,
    fault: null,
  };
  const open = (given: { readonly mustExist: boolean; readonly limitMs?: number }): Promise<SchemaDb> =>
    openConnection({
      name,
      options,
      ...given,
      onLoss: (error, db) => {
        if (error !== null && db === state.db) keeper.lose(error);
        else if (db !== null) keeper.interrupted(db);
      },
    });
  const keeper = createKeeper(state, {
    open: () => open({ mustExist: true, limitMs: attemptMs }),
    check: (db) => checkSame(db, turn, known),
    onLost: (error) => options.onLost?.(error),
  });
  const [first, turn] = await openFirst(() => open({ mustExist: false }), options.seizes ?? false);
  state.db = first;
  const { jobs } = keeper;
  return {
    known,
    run: async <T>(action: (db: SchemaDb, turn: number) => Promise<T>, isWrite = false): Promise<T> => {
      if (state.isOver) throw state.fault ?? closedError();
      const result = jobs.add(state.db, isWrite, (db) => action(db, turn));
      if (state.db === null) void keeper.reopen();
      return (await result) as T;
    },
    fault: () => state.fault,
    close: async () => {
      if (state.isOver) return;
      state.isOver = true;
      const { db } = state;
      if (db === null) jobs.rejectAll(closedError());
      await jobs.settled();
      db?.close();
    },
  };
};
