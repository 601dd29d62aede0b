import { textToBytes } from '../bytes/bytes.ts';
import { encodeBody } from '../codec/block.ts';
import { type BlockHash, blockHashToBytes } from '../codec/identity.ts';
import { encodeJustifications, type Justification } from '../codec/justification.ts';
import { recordDamage } from '../db/damage.ts';
import type { BatchBuilder, Database } from '../db/database.ts';
import type { Choice } from './import/choose.ts';
import {
  decodeChainRecord,
  decodeNumberRecord,
  encodeChainRecord,
  encodeHeaderRecord,
  encodeNumberRecord,
  numberKey,
  persistentKey,
} from './records.ts';
import type { ExecutedBlock } from './steps.ts';
import type { BlockRef } from './tree.ts';

export const chainKey = /* @__PURE__ */ textToBytes('chain');
/** Where the database of a fork keeps what it is a fork of (`worker/fork/record.ts`). */
export const forkKey = /* @__PURE__ */ textToBytes('fork');

/** Which chain the database holds. */
export type Identity = {
  readonly genesis: BlockHash;
  /** Hash of the specification. */
  readonly identity: Uint8Array;
};

/**
 * The block itself and, if the node indexes, its writes to the offchain database. Includes forks, as in the
 * SDK.
 */
export const putBlock = (batch: BatchBuilder, executed: ExecutedBlock, indexing: boolean): void => {
  const key = blockHashToBytes(executed.hash);
  const meta = { weight: executed.weight, isOwn: executed.origin === 'own' };
  batch.puts.push(['headers', key, encodeHeaderRecord(executed.block.header, meta)]);
  batch.puts.push(['bodies', key, encodeBody(executed.block.extrinsics)]);
  if (!indexing) return;
  for (const [name, value] of executed.execution.changes.offchain) {
    const record = persistentKey(name);
    if (value === null) batch.deletes.push(['offchain', record]);
    else batch.puts.push(['offchain', record, value]);
  }
};

/** The justification that finalized a block is stored with it. */
export const putJustification = (
  batch: BatchBuilder,
  hash: BlockHash,
  justification: Justification,
): void => {
  batch.puts.push(['justifications', blockHashToBytes(hash), encodeJustifications([justification])]);
};

type Heads = {
  readonly best: BlockRef;
  readonly finalized: BlockRef;
  readonly leaves: readonly BlockHash[];
};

export const putChainRecord = (batch: BatchBuilder, identity: Identity, heads: Heads): void => {
  batch.puts.push(['meta', chainKey, encodeChainRecord({ ...identity, ...heads })]);
};

/**
 * The chain's position, part of every transaction that moves it. Maps number → hash for the best chain,
 * re-orgs included: heights above the new best block lose their record.
 */
export const putChoice = (
  batch: BatchBuilder,
  identity: Identity,
  choice: Omit<Choice, 'retracted'>,
): void => {
  const { oldBest, best, enacted } = choice;
  for (let number = best.number + 1; number <= oldBest.number; number++)
    batch.deletes.push(['numbers', numberKey(number)]);
  for (const block of enacted)
    batch.puts.push(['numbers', numberKey(block.number), encodeNumberRecord(block)]);
  putChainRecord(batch, identity, choice);
};

/** Deletes header and body of blocks on abandoned forks. Their trie nodes may be shared and stay. */
export const deleteBlocks = (batch: BatchBuilder, pruned: readonly BlockHash[]): void => {
  for (const hash of pruned) {
    const key = blockHashToBytes(hash);
    batch.deletes.push(['headers', key], ['bodies', key], ['justifications', key]);
  }
};

/** The stored hash of the best chain's block at a height, or null if there is no record. */
export const readHashAt = async (db: Database, number: number): Promise<BlockHash | null> => {
  const bytes = await db.get('numbers', numberKey(number));
  return bytes === null ? null : decodeNumberRecord(bytes).hash;
};

/** The stored hashes of the best chain's blocks from one height to another, both included, up to the first gap. */
export const loadHashesAt = async (db: Database, from: number, to: number): Promise<BlockHash[]> => {
  const keys = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => numberKey(from + index));
  const hashes: BlockHash[] = [];
  for (const bytes of await db.getMany('numbers', keys)) {
    if (bytes === null) break;
    hashes.push(decodeNumberRecord(bytes).hash);
  }
  return hashes;
};

/**
 * The hash at a height that was recently on the best chain. A head move may delete the record during the
 * read; the chain record, written in the same transaction, shows that. Throws `StorageBroken` if the record
 * is lost.
 */
export const loadHashAt = async (db: Database, number: number): Promise<BlockHash | null> => {
  const hash = await readHashAt(db, number);
  if (hash !== null) return hash;
  const record = await db.get('meta', chainKey);
  if (record !== null && decodeChainRecord(record).best.number < number) return null;
  const again = await readHashAt(db, number);
  if (again === null) throw recordDamage('numbers', numberKey(number), 'is missing');
  return again;
};
