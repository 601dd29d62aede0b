import { keyToBytes } from '../bytes/bytes.ts';
import type { Database } from '../db/database.ts';
import { costOf, type Journal, type Journals, type Mover, sequenceKey, sliceCost } from './journals.ts';
import { yieldNow } from './pace.ts';

export type MoverOptions = {
  /** What may wait, in bytes: more does only while a block's import is held back for it. */
  readonly limit: number;
  readonly onError: (error: unknown) => void;
};

/** A job in slices beside the imports, one at a time. */
export type Background = {
  /** Begins in the background; what fails is reported and tried again with the next call. */
  begin(): void;
  /** Who comes while it runs joins it. */
  run(): Promise<void>;
  isRunning(): boolean;
  /** Resolves with the end of a slice, at once where none is to come. */
  slice(): Promise<void>;
  /** Why the last run ended early, or null. */
  failure(): unknown;
};

/** `job` gets what it awaits between its slices. */
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

/** Throws why nothing can be moved, once twice the limit waits: blocks are refused rather than memory filled. */
export const checkRoom = (journals: Journals, moving: Background, limit: number): void => {
  if (moving.failure() !== null && journals.bytes() > 2 * limit) throw moving.failure();
};

/** Slices that a block waits for at most, before the limit is reached. */
const maxSlices = 16;

/**
 * What a block waits for while there is something to move: imports that follow each other closely would leave it no turn. One
 * slice, and more the more waits, so that large blocks share the work instead of one of them waiting for all of it.
 */
export const keepPace = async (journals: Journals, moving: Background, limit: number): Promise<void> => {
  const share = Math.max(0, (2 * journals.bytes()) / limit - 1);
  for (let left = 1 + Math.min(maxSlices, maxSlices * share); left >= 1 && moving.isRunning(); left--)
    await moving.slice();
  while (journals.bytes() > limit && moving.isRunning()) await moving.slice();
};

type Slice = {
  readonly nodes: Journal['nodes'];
  /** How many journals are moved in full with it. */
  readonly whole: number;
  /** How many nodes of the journal after them are moved then. */
  readonly rest: number;
};

/** The oldest nodes, from the `moved`th of the first journal on. */
const nextSlice = (journals: readonly Journal[], moved: number): Slice => {
  const nodes: (readonly [string, Uint8Array])[] = [];
  let whole = 0;
  let cost = 0;
  let at = moved;
  for (const journal of journals) {
    for (; at < journal.nodes.length && cost < sliceCost; at++) {
      const node = journal.nodes[at] as Journal['nodes'][number];
      nodes.push(node);
      cost += costOf(node[1].length);
    }
    if (at < journal.nodes.length) break;
    whole++;
    at = 0;
  }
  return { nodes, whole, rest: at };
};

/** Moves every node and deletes none: where all states are kept, nobody counts the places of a node. */
export const createMover = (
  db: Pick<Database, 'write'>,
  journals: Journals,
  { limit, onError }: MoverOptions,
): Mover => {
  let moved = 0;
  const moveSlice = async (): Promise<void> => {
    const waiting = journals.waiting();
    const { nodes, whole, rest } = nextSlice(waiting, moved);
    // A journal goes with the last of its nodes: a crash before leaves it as it was.
    await db.write({
      puts: nodes.map(([key, bytes]) => ['nodes', keyToBytes(key), bytes] as const),
      deletes: waiting.slice(0, whole).map(({ sequence }) => ['journals', sequenceKey(sequence)] as const),
    });
    journals.drop(whole);
    moved = rest;
  };
  const moving = createBackground(async (pause) => {
    while (journals.waiting().length > 0) {
      await moveSlice();
      await pause();
    }
  }, onError);
  return {
    begin: () => {
      if (journals.bytes() > limit / 2) moving.begin();
    },
    checkRoom: () => checkRoom(journals, moving, limit),
    settle: () => keepPace(journals, moving, limit),
    flush: async () => {
      while (journals.waiting().length > 0) await moving.run();
    },
  };
};
