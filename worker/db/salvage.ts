import type { Engine } from './checked.ts';

/** A database that may be damaged, opened to be repaired. */
export type Salvage = {
  /** What can be read of it, record by record; nothing is proven. */
  readonly engine: Engine;
  /** Whether what keeps the records is damaged too: then they have to move though each of them is whole. */
  readonly isTorn: boolean;
  /**
   * Makes what stands in `engine` the database, where it is a copy, and closes. Answers where the damaged one is kept,
   * null where it was repaired in place.
   */
  accept(): Promise<string | null>;
  /** Lets go of it; without `accept`, a copy is dropped. */
  close(): Promise<void>;
};

/** An engine that finds its records in any case is repaired in place, by one transaction. */
export const salvageInPlace = (engine: Engine): Salvage => ({
  engine,
  isTorn: false,
  accept: async () => {
    await engine.close();
    return null;
  },
  close: engine.close,
});
