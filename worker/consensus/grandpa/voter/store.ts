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
    // A power cut must not make the node forget a vote that was already sent.
    save: (record: VoterRecord): Promise<void> =>
      db.write({ puts: [['auxiliary', name, encodeRecord(record)]], deletes: [], isStrict: true }),
  };
};

type Finals = Pick<Chain, 'finalized' | 'loadHashAt'>;

/** Whether rounds can begin on a block. It is false if the chain was moved and the node stopped before the voter knew. */
const isFinal = async (chain: Finals, { hash, number }: BlockRef): Promise<boolean> =>
  number <= chain.finalized().number && (await chain.loadHashAt(number)) === hash;

type Store = ReturnType<typeof createStore>;

/**
 * The records with which a node's voters begin, on disk. Those that start over do so in the same round;
 * otherwise each would wait forever for votes in a round that another has already passed.
 */
export const loadRecords = async (
  chain: Finals,
  stores: readonly Store[],
  setId: bigint,
  isMoved: boolean,
): Promise<readonly VoterRecord[]> => {
  const stored = await Promise.all(stores.map(({ load }) => load()));
  const areFinal = await Promise.all(stored.map((one) => one === null || isFinal(chain, one.last.base)));
  const resume = isMoved || areFinal.includes(false) ? restartRecord : continueRecord;
  const records = stored.map((one) => resume(one, setId, chain.finalized()));
  const round = records.reduce((most, { last }) => (last.round > most ? last.round : most), 0n);
  const joined = records.map((record, index) =>
    record === stored[index] ? record : { ...record, last: { ...record.last, round } },
  );
  await Promise.all(
    joined.map((record, index) => (record === stored[index] ? undefined : stores[index]?.save(record))),
  );
  return joined;
};
