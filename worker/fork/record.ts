import { bytesToText, textToBytes } from '../bytes/bytes.ts';
import { hexToBytes } from '../bytes/hex.ts';
import { forkKey } from '../chain/store.ts';
import { type BlockHash, bytesToBlockHash } from '../codec/identity.ts';
import { damageError } from '../db/damage.ts';
import type { Batch, Database } from '../db/database.ts';

/** What a fork is a fork of, as its database keeps it. */
export type ForkRecord = {
  readonly genesisHash: BlockHash;
  readonly base: { readonly hash: BlockHash; readonly number: number };
  /** What the base was chosen as: `finalized` and `best` are the endpoint's claim. */
  readonly chosenAs: 'finalized' | 'best' | 'hash' | 'number';
  readonly name: string;
  readonly chainType: string | null;
  readonly properties: Readonly<Record<string, unknown>>;
};

export const encodeForkRecord = (record: ForkRecord): Uint8Array => textToBytes(JSON.stringify(record));

/** Throws a SyntaxError or `BadHex`. */
export const decodeForkRecord = (bytes: Uint8Array): ForkRecord => {
  const record = JSON.parse(bytesToText(bytes)) as ForkRecord;
  const hash = (text: string): BlockHash => bytesToBlockHash(hexToBytes(text));
  const { base } = record;
  return { ...record, genesisHash: hash(record.genesisHash), base: { ...base, hash: hash(base.hash) } };
};

export const forkPut = (record: ForkRecord): Batch['puts'][number] => [
  'meta',
  forkKey,
  encodeForkRecord(record),
];

/** Null: the database holds no fork. Throws `StorageBroken`. */
export const loadForkRecord = async (db: Pick<Database, 'get'>): Promise<ForkRecord | null> => {
  const bytes = await db.get('meta', forkKey);
  if (bytes === null) return null;
  try {
    return decodeForkRecord(bytes);
  } catch {
    throw damageError('the record of what the fork is a fork of cannot be read');
  }
};
