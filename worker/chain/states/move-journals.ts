import { keyToBytes } from '../../bytes/bytes.ts';
import type { Database } from '../../db/database.ts';
import { yieldNow } from '../../tasks/pace.ts';
import {
  costOf,
  type Journal,
  type JournalNode,
  type Journals,
  type Mover,
  sequenceKey,
  sliceCost,
} from './journals.ts';

export type MoverOptions = {
  /** Limit of waiting bytes. It is exceeded only while a block's import is delayed by it. */
  readonly limit: number;
  readonly onError: (error: unknown) => void;
};

/** A job that runs in slices between imports, one at a time. */
export type Background = {
  /** Starts in the background. A failure is reported and retried with the next call. */
  begin(): void;
  /** Joins the current run if there is one. */
  run(): Promise<void>;
  isRunning(): boolean;
  /** Resolves at the end of the current slice, or at once if there is none. */
  slice(): Promise<void>;
  /** Why the last run ended early, or null. */
  failure(): unknown;
};

/** `job` receives a function that it awaits between its slices. */
export const createBackground = (
  job: (pause: () => Promise<void>) => Promise<void>,
  onError: (error: unknown) => void,
): Background => {
  let running: Promise<void> | null = null;
  let failure: unknown = null;
  let waiting: (() => void)[] = [];
  const release = (): void => {
    const released = waiting;
    waiting = [];
    for (const resolve of released) resolve();
  };
  const pause = (): Promise<void> => {
    release();
    return yieldNow();
  };
  const once = async (): Promise<void> => {
    try {
      await job(pause);
      failure = null;
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      running = null;
      release();
    }
  };
  const run = (): Promise<void> => {
    running ??= once();
    return running;
  };
  return {
    begin: () => {
      if (running === null) run().catch(onError);
    },
    run,
    isRunning: () => running !== null,
    slice: () => (running === null ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    failure: () => failure,
  };
};

/**
 * Throws the mover's error once twice the limit waits: blocks are refused before memory fills up. The mover tries
 * again, so that a later block finds room.
 */
export const checkRoom = (journals: Journals, moving: Background, limit: number): void => {
  if (moving.failure() === null || journals.bytes() <= 2 * limit) return;
  moving.begin();
  throw moving.failure();
};

/** Maximum number of slices a block waits for before the limit is reached. */
const maxSlices = 16;

/**
 * The delay for a block while there is something to move; without it, imports in quick succession would
 * starve the mover. One slice, and more the more is waiting, so that large blocks share the work and no
 * single one waits for all of it.
 */
export const keepPace = async (journals: Journals, moving: Background, limit: number): Promise<void> => {
  const share = Math.max(0, (2 * journals.bytes()) / limit - 1);
  for (let left = 1 + Math.min(maxSlices, maxSlices * share); left >= 1 && moving.isRunning(); left--)
    await moving.slice();
  while (journals.bytes() > limit && moving.isRunning()) await moving.slice();
};

type Slice = {
  readonly nodes: readonly JournalNode[];
  /** Number of journals that it moves completely. */
  readonly whole: number;
  /** Number of nodes of the following journal that it moves. */
  readonly rest: number;
};

/** The oldest nodes, starting at node `moved` of the first journal. */
const nextSlice = (journals: readonly Journal[], moved: number): Slice => {
  const nodes: JournalNode[] = [];
  let whole = 0;
  let cost = 0;
  let at = moved;
  for (const journal of journals) {
    for (; at < journal.count && cost < sliceCost; at++) {
      const node = journal.node(at);
      nodes.push(node);
      cost += costOf(node[1].length);
    }
    if (at < journal.count) break;
    whole++;
    at = 0;
  }
  return { nodes, whole, rest: at };
};

/** Moves every node and deletes none. An archive does not count the places of nodes. */
export const createMover = (
  db: Pick<Database, 'write'>,
  journals: Journals,
  { limit, onError }: MoverOptions,
): Mover => {
  let moved = 0;
  const moveSlice = async (): Promise<void> => {
    const waiting = journals.waiting();
    const { nodes, whole, rest } = nextSlice(waiting, moved);
    // A journal is deleted with its last node: a crash before that leaves it unchanged.
    await db.write({
      puts: nodes.map(([key, bytes]) => ['nodes', keyToBytes(key), bytes] as const),
      deletes: waiting.slice(0, whole).map(({ sequence }) => ['journals', sequenceKey(sequence)] as const),
    });
    journals.drop(whole);
    moved = rest;
  };
  let isFlushing = false;
  const begins = limit / 2;
  /** Less than a slice waits for more: otherwise blocks in quick succession would each have a transaction more. */
  const ends = Math.min(sliceCost, begins);
  const isDue = (): boolean => journals.waiting().length > 0 && (isFlushing || journals.bytes() > ends);
  const moving = createBackground(async (pause) => {
    while (isDue()) {
      await moveSlice();
      await pause();
    }
  }, onError);
  return {
    begin: () => {
      if (journals.bytes() > begins) moving.begin();
    },
    checkRoom: () => checkRoom(journals, moving, limit),
    settle: () => keepPace(journals, moving, limit),
    flush: async () => {
      isFlushing = true;
      try {
        while (journals.waiting().length > 0) await moving.run();
      } finally {
        isFlushing = false;
      }
    },
  };
};
