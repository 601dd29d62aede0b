import { bytesToText, textToBytes } from '../bytes/bytes.ts';
import type { Batch, Database } from '../db/database.ts';

/** How chain time differs from the wall clock, in milliseconds. */
export type ClockState = {
  readonly offsetMs: number;
  /** The next block is not before this moment (ms since 1970), so that a jump holds though slots follow their parent. */
  readonly floorMs: number;
};

/** The author's clock: the wall's, moved by the operator (DESIGN §4). */
export type Clock = {
  /** Milliseconds since 1970, offset included. */
  now(): number;
  floorMs(): number;
  /** Where the clock would stand after a jump; `set` makes it so. */
  stateAt(ms: number): ClockState;
  state(): ClockState;
  set(state: ClockState): void;
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

export const createClock = (wall: () => number, stored: ClockState): Clock => {
  let state = stored;
  return {
    now: () => wall() + state.offsetMs,
    floorMs: () => state.floorMs,
    stateAt: (ms) => ({ offsetMs: ms - wall(), floorMs: ms }),
    state: () => state,
    set: (next) => {
      state = next;
    },
  };
};
