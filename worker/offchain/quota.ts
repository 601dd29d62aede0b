import { NodeError } from '../../src/protocol/errors.ts';
import type { Database } from '../db/database.ts';

/** Values that clients may fill the offchain database with, and their bytes with their keys. */
const maxValues = 65_536;
const maxValueBytes = 16 * 1024 * 1024;

type Usage = { values: number; bytes: number };

/** Bounds what `write` adds to the store. `forget`: other writes happened, so it is measured again. */
export const createQuota = (
  db: Pick<Database, 'range'>,
  load: (record: Uint8Array) => Promise<Uint8Array | null>,
) => {
  let usage: Usage | null = null;
  let queue: Promise<unknown> = Promise.resolve();
  const measure = async (): Promise<Usage> => {
    const found = await db.range('offchain');
    const bytes = found.reduce((sum, [key, value]) => sum + key.length + value.length, 0);
    return { values: found.length, bytes };
  };
  const add = async (record: Uint8Array, value: Uint8Array, write: () => Promise<void>): Promise<void> => {
    const used = usage ?? (await measure());
    const before = await load(record);
    const values = used.values + (before === null ? 1 : 0);
    const bytes = used.bytes + value.length - (before?.length ?? -record.length);
    if (values > maxValues || (bytes > maxValueBytes && bytes > used.bytes))
      throw new NodeError(
        'LimitReached',
        `The offchain database holds at most ${maxValues} values and ${maxValueBytes} bytes of clients`,
      );
    const written = write();
    usage = { values, bytes };
    await written;
  };
  return {
    add: (...args: Parameters<typeof add>): Promise<void> => {
      const added = queue.then(() => add(...args));
      queue = added.catch(() => undefined);
      return added;
    },
    forget: (): void => {
      usage = null;
    },
  };
};
