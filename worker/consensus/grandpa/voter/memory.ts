import type { VoterRecord } from './record.ts';

/** What the voter remembers. `flush` resolves when it is on disk. */
export const createMemory = (persist: (record: VoterRecord) => Promise<void>, first: VoterRecord) => {
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
