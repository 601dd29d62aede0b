import { type ErrorCode, NodeError } from '../../src/protocol/errors.ts';
import type { Batch, Database } from '../../worker/db/database.ts';
import { createMemoryDatabase } from '../../worker/db/memory.ts';

/** A database in memory on a disk that a test fills: then the writes that it names fail with this code. */
export const createFullDisk = (code: ErrorCode = 'StorageQuota') => {
  const disk = createMemoryDatabase();
  let isRefused: (batch: Batch) => boolean = () => false;
  let refused = 0;
  const db: Database = {
    ...disk,
    write: async (batch) => {
      if (isRefused(batch)) {
        refused += 1;
        throw new NodeError(code);
      }
      await disk.write(batch);
    },
    // It outlives its node.
    close: async () => undefined,
  };
  return {
    db,
    disk,
    /** Refuses all writes, or those that a test picks, until `free`. */
    fill: (which: (batch: Batch) => boolean = () => true): void => {
      isRefused = which;
    },
    free: (): void => {
      isRefused = () => false;
    },
    /** The number of writes refused so far. */
    refused: () => refused,
  };
};

/** Whether a batch writes to this store. */
export const writesTo =
  (store: Batch['puts'][number][0]) =>
  ({ puts, deletes }: Batch): boolean =>
    [...puts, ...deletes].some(([name]) => name === store);
