import { bytesToText, textToBytes } from '../bytes/bytes.ts';
import { hexToBytes } from '../bytes/hex.ts';
import { readName, readProperties } from '../chain/origin-facts.ts';
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

const choices: readonly string[] = ['finalized', 'best', 'hash', 'number'] satisfies ForkRecord['chosenAs'][];

const readHash = (text: unknown): BlockHash => {
  const hash = hexToBytes(String(text));
  if (hash.length !== 32) throw new TypeError('a hash does not have 32 bytes');
  return bytesToBlockHash(hash);
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/**
 * Whoever wrote it, its texts are as short and plain as those of an endpoint. Throws whatever shows that these are not the
 * bytes of a record.
 */
export const decodeForkRecord = (bytes: Uint8Array): ForkRecord => {
  const { genesisHash, base, chosenAs, name, chainType, properties } = JSON.parse(bytesToText(bytes));
  const shown = readName(name);
  const isRecord =
    isObject(base) &&
    Number.isSafeInteger(base['number']) &&
    choices.includes(chosenAs) &&
    shown !== null &&
    (chainType === null || typeof chainType === 'string') &&
    isObject(properties);
  if (!isRecord) throw new TypeError('a part of it is missing');
  return {
    genesisHash: readHash(genesisHash),
    base: { hash: readHash(base['hash']), number: Number(base['number']) },
    chosenAs,
    name: shown,
    chainType: readName(chainType),
    properties: readProperties(properties),
  };
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
