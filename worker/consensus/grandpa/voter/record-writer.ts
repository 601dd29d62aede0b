import type { VoterRecord } from './record.ts';

/** The newest record of the voter. `flush` resolves when it is on disk. */
export const createRecordWriter = (persist: (record: VoterRecord) => Promise<void>, first: VoterRecord) => {
  let record = first;
  let stored = first;
  return {
    record: () => record,
    set: (next: VoterRecord): void => {
      record = next;
    },
    flush: async (): Promise<void> => {
      if (record === stored) return;
      const writing = record;
      await persist(writing);
      stored = writing;
    },
  };
};
