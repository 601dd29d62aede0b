import type { Batch } from '../db/database.ts';

/** A batch in the making. */
export type Draft = {
  readonly puts: Batch['puts'][number][];
  readonly deletes: Batch['deletes'][number][];
};

export const createDraft = (): Draft => ({ puts: [], deletes: [] });
