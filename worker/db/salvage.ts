import type { Engine } from './checked.ts';

/** A possibly damaged database, opened for repair. */
export type Salvage = {
  /** Its readable records, one by one, unverified. */
  readonly engine: Engine;
  /** Whether the storage itself is damaged as well, so that intact records must be moved too. */
  readonly isTorn: boolean;
  /**
   * If `engine` is a copy, replaces the database with it; then closes. Returns where the damaged one is kept,
   * or null if it was repaired in place.
   */
  accept(): Promise<string | null>;
  /** Releases it. Without `accept`, a copy is deleted. */
  close(): Promise<void>;
};

/** An engine that always finds its records is repaired in place, in one transaction. */
export const salvageInPlace = (engine: Engine): Salvage => ({
  engine,
  isTorn: false,
  accept: async () => {
    await engine.close();
    return null;
  },
  close: engine.close,
});
