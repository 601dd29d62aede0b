import { bytesToText, textToBytes } from '../../bytes/bytes.ts';
import { createBatch, type Database } from '../../db/database.ts';

const key = textToBytes('network/addresses');
/** The newest are kept. */
const maxKnown = 64;

/** The addresses by which others were reached, stored with the chain: a node finds its network again without its boot nodes. */
export type KnownAddresses = {
  /** The newest first. */
  load(): Promise<readonly string[]>;
  /** A node was reached by this address, which ends in its id. */
  note(address: string): Promise<void>;
};

export const createKnownAddresses = (db: Pick<Database, 'get' | 'write'>): KnownAddresses => {
  let known: Promise<readonly string[]> | null = null;
  const read = async (): Promise<readonly string[]> => {
    const stored = await db.get('meta', key);
    return stored === null ? [] : (JSON.parse(bytesToText(stored)) as string[]);
  };
  const load = (): Promise<readonly string[]> => {
    known ??= read();
    return known;
  };
  return {
    load,
    note: async (address) => {
      const before = await load();
      if (before[0] === address) return;
      const after = [address, ...before.filter((one) => one !== address)].slice(0, maxKnown);
      known = Promise.resolve(after);
      const batch = createBatch();
      batch.puts.push(['meta', key, textToBytes(JSON.stringify(after))]);
      await db.write(batch);
    },
  };
};
