import { concatBytes, textToBytes } from '../../../bytes/bytes.ts';
import { Reader } from '../../../bytes/reader.ts';
import { Writer } from '../../../bytes/writer.ts';
import type { Chain } from '../../../chain/chain.ts';
import type { BlockRef } from '../../../chain/tree.ts';
import { readRef, writeRef } from '../../../codec/identity.ts';
import type { Database } from '../../../db/database.ts';
import {
  readSignedVote,
  readVote,
  type SignedVote,
  type Vote,
  writeSignedVote,
  writeVote,
} from './messages.ts';

/** Key of the voter's record in the auxiliary store. */
export const voterKey = /* @__PURE__ */ textToBytes('grandpa voter');

/** A completed round, from which the next one begins. */
export type Completed = {
  readonly round: bigint;
  readonly base: BlockRef;
  readonly votes: readonly SignedVote[];
};

/** The votes that this node cast in a round, at most one of each kind. */
export type OwnRound = { readonly round: bigint; readonly votes: readonly Vote[] };

/**
 * What a voter must remember. It is on disk before a vote leaves, so that no restart casts a second vote in a
 * round.
 */
export type VoterRecord = {
  readonly setId: bigint;
  /**
   * Grows each time the operator moves the chain. The voter then forgets its rounds, but continues with round
   * numbers that it has not used.
   */
  readonly session: number;
  readonly last: Completed;
  readonly own: readonly OwnRound[];
  /** The last round in which this node voted, for each set. */
  readonly used: readonly { readonly setId: bigint; readonly round: bigint }[];
};

/** Own votes are kept for this many rounds: older ones do not run any more. */
const keptRounds = 8n;

export const encodeRecord = (record: VoterRecord): Uint8Array => {
  const writer = new Writer(512).u64(record.setId).u32(record.session);
  writeRef(writer.u64(record.last.round), record.last.base).vec(record.last.votes, writeSignedVote);
  writer.vec(record.own, (out, { round, votes }) => out.u64(round).vec(votes, writeVote));
  return writer.vec(record.used, (out, { setId, round }) => out.u64(setId).u64(round)).finish();
};

/** Throws `BadScale`. */
export const decodeRecord = (bytes: Uint8Array): VoterRecord => {
  const reader = new Reader(bytes);
  const record = {
    setId: reader.u64(),
    session: reader.u32(),
    last: { round: reader.u64(), base: readRef(reader), votes: reader.vec(readSignedVote) },
    own: reader.vec((from) => ({ round: from.u64(), votes: from.vec(readVote) })),
    used: reader.vec((from) => ({ setId: from.u64(), round: from.u64() })),
  };
  reader.end();
  return record;
};

const lastUsed = (record: VoterRecord | null, setId: bigint): bigint =>
  record?.used.find((one) => one.setId === setId)?.round ?? 0n;

/** The record with which a voter of a set begins on the finalized block. */
const begin = (record: VoterRecord | null, setId: bigint, base: BlockRef, session: number): VoterRecord => ({
  setId,
  session,
  last: { round: lastUsed(record, setId), base, votes: [] },
  own: [],
  used: record?.used ?? [],
});

/** Continues a set's rounds, or begins those of another set. */
export const continueRecord = (
  record: VoterRecord | null,
  setId: bigint,
  finalized: BlockRef,
): VoterRecord =>
  record !== null && record.setId === setId ? record : begin(record, setId, finalized, record?.session ?? 0);

/** After the operator moved the chain: rounds that were never voted in, from the finalized block on. */
export const restartRecord = (record: VoterRecord | null, setId: bigint, finalized: BlockRef): VoterRecord =>
  begin(record, setId, finalized, (record?.session ?? 0) + 1);

/** The vote of a kind cast in a round, or null. */
export const castVote = (record: VoterRecord, round: bigint, kind: Vote['kind']): Vote | null =>
  record.own.find((one) => one.round === round)?.votes.find((vote) => vote.kind === kind) ?? null;

const noteUsed = ({ used, setId }: VoterRecord, round: bigint): VoterRecord['used'] => {
  const before = used.find((one) => one.setId === setId)?.round ?? 0n;
  if (before >= round) return used;
  return [...used.filter((one) => one.setId !== setId), { setId, round }];
};

/** Adds a vote. A vote of the same kind in the same round stays. */
export const recordVote = (record: VoterRecord, round: bigint, vote: Vote): VoterRecord => {
  if (castVote(record, round, vote.kind) !== null) return record;
  const votes = [...(record.own.find((one) => one.round === round)?.votes ?? []), vote];
  const others = record.own.filter((one) => one.round !== round && one.round + keptRounds > round);
  return { ...record, own: [...others, { round, votes }], used: noteUsed(record, round) };
};

export const recordCompleted = (record: VoterRecord, last: Completed): VoterRecord =>
  last.round > record.last.round ? { ...record, last } : record;

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
