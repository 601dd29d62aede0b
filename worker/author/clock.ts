import { NodeError } from '../../src/protocol/errors.ts';
import type { ClockMode } from '../../src/protocol/node.ts';
import { bytesToText, textToBytes } from '../bytes/bytes.ts';
import type { Batch, Database } from '../db/database.ts';

/** Difference between chain time and the wall clock, in milliseconds. */
export type ClockState = {
  readonly offsetMs: number;
  /**
   * Earliest time of the next block (ms since 1970). Makes a jump take effect even though slots follow the
   * parent's slot.
   */
  readonly floorMs: number;
};

/** The author's clock: the wall clock plus an offset set by the operator. */
export type Clock = {
  /** Milliseconds since 1970, including the offset. */
  now(): number;
  floorMs(): number;
  /** The state of the clock after a jump; `set` applies it. */
  stateAt(ms: number): ClockState;
  state(): ClockState;
  set(state: ClockState): void;
  /** The clock's state for a new chain. */
  beginning(): ClockState;
  /** Whether slots that are over by the wall clock are skipped. */
  readonly followsWall: boolean;
};

const clockKey = /* @__PURE__ */ textToBytes('clock');

export const unmovedClock: ClockState = { offsetMs: 0, floorMs: 0 };

export const clockPut = (state: ClockState): Batch['puts'][number] => [
  'meta',
  clockKey,
  textToBytes(JSON.stringify(state)),
];

export const loadClockState = async (db: Pick<Database, 'get'>): Promise<ClockState> => {
  const bytes = await db.get('meta', clockKey);
  return bytes === null ? unmovedClock : (JSON.parse(bytesToText(bytes)) as ClockState);
};

const beginningOf = (mode: ClockMode, wallMs: number): ClockState => {
  if (typeof mode === 'string') return unmovedClock;
  if (!(mode.startMs >= 0 && mode.startMs <= Number.MAX_SAFE_INTEGER))
    throw new NodeError('BadConfig', `${mode.startMs} is no moment for a chain to begin at`);
  return { offsetMs: Math.floor(mode.startMs) - wallMs, floorMs: 0 };
};

/** Throws `BadConfig` for an invalid start time. */
export const createClock = (wall: () => number, stored: ClockState, mode: ClockMode): Clock => {
  let state = mode === 'wall' ? unmovedClock : stored;
  beginningOf(mode, wall());
  return {
    now: () => wall() + state.offsetMs,
    floorMs: () => state.floorMs,
    stateAt: (ms) => ({ offsetMs: ms - wall(), floorMs: ms }),
    state: () => state,
    set: (next) => {
      state = next;
    },
    beginning: () => beginningOf(mode, wall()),
    followsWall: mode === 'wall',
  };
};

/**
 * A chain without blocks starts at its clock's start time. Stores the resulting offset from the wall clock.
 */
export const beginClock = async (clock: Clock, db: Pick<Database, 'write'>): Promise<void> => {
  const state = clock.beginning();
  if (state === unmovedClock) return;
  await db.write({ puts: [clockPut(state)], deletes: [] });
  clock.set(state);
};
