import { concatBytes } from '../../../bytes/bytes.ts';
import type { Chain } from '../../../chain/chain.ts';
import type { BlockRef } from '../../../chain/tree.ts';
import type { Database } from '../../../db/database.ts';
import {
  continueRecord,
  decodeRecord,
  encodeRecord,
  restartRecord,
  type VoterRecord,
  voterKey,
} from './record.ts';

/** Loads and stores the record of a key's voter. */
export const createStore = (db: Pick<Database, 'get' | 'write'>, publicKey: Uint8Array) => {
  const name = concatBytes(voterKey, publicKey);
  return {
    load: async (): Promise<VoterRecord | null> => {
      const bytes = await db.get('auxiliary', name);
      return bytes === null ? null : decodeRecord(bytes);
    },
    // A power cut must not make the node forget a vote that has left.
    save: (record: VoterRecord): Promise<void> =>
      db.write({ puts: [['auxiliary', name, encodeRecord(record)]], deletes: [], isStrict: true }),
  };
};

type Finals = Pick<Chain, 'finalized' | 'loadHashAt'>;

/** Whether rounds can begin on a block. It is false if the chain was moved and the node stopped before the voter knew. */
const isFinal = async (chain: Finals, { hash, number }: BlockRef): Promise<boolean> =>
  number <= chain.finalized().number && (await chain.loadHashAt(number)) === hash;

/** The record with which a key's voter begins, on disk. */
export const loadRecord = async (
  chain: Finals,
  { load, save }: ReturnType<typeof createStore>,
  setId: bigint,
  isMoved: boolean,
): Promise<VoterRecord> => {
  const stored = await load();
  const isLost = stored !== null && !(await isFinal(chain, stored.last.base));
  const resume = isMoved || isLost ? restartRecord : continueRecord;
  const record = resume(stored, setId, chain.finalized());
  if (record !== stored) await save(record);
  return record;
};
