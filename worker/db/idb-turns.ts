import { unwrap } from 'idb';
import { NodeError } from '../../src/protocol/errors.ts';
import { textToBytes } from '../bytes/bytes.ts';
import { sealRecord } from './checked.ts';
import { readStore, type SchemaDb } from './idb-open.ts';

// A tab may be frozen for hours and then continue as if nothing had happened. Its writes must not be mixed
// with those of another tab that has seized its chain. So each opener has a turn: how often the database was
// seized before. A seizure leaves the record `seized:TURN` of the turn that it ends, and every write of a
// turn adds that very record and deletes it again. If it is there already, `add` fails, and the whole
// transaction with it: nothing has to be read first, which would keep a transaction open, for hours if the
// tab is frozen at that moment.

const prefix = 'seized:';

/** Writes the record that ends a turn; the request, and with it the transaction, fails if it is there. */
const mark = (meta: IDBObjectStore, key: Uint8Array<ArrayBuffer>): IDBRequest =>
  meta.add(new Uint8Array(sealRecord('meta', key, Uint8Array.of(1))), key);

const keyOf = (turn: number): Uint8Array<ArrayBuffer> => new Uint8Array(textToBytes(`${prefix}${turn}`));

/** To be called first in a write transaction, which fails if the turn is over: then the request has an error. */
export const proveTurn = (meta: IDBObjectStore, turn: number): IDBRequest => {
  const key = keyOf(turn);
  const proof = mark(meta, key);
  meta.delete(key);
  return proof;
};

/** Why the transaction of a proof failed. */
export const faultOf = (proof: IDBRequest | undefined, cause: unknown): unknown =>
  proof?.readyState === 'done' && proof.error?.name === 'ConstraintError'
    ? new NodeError('ChainInUse', 'Another tab has taken this chain over, because this one did not answer')
    : cause;

/** How often the database was seized. */
export const countSeizures = (db: SchemaDb): Promise<number> =>
  readStore(db, 'meta').count(IDBKeyRange.bound(textToBytes(prefix), textToBytes(`${prefix}~`)));

/** The turn of the one who opens the database; `seizes` ends the previous turn. Throws `ChainInUse`. */
export const takeTurn = async (db: SchemaDb, seizes: boolean): Promise<number> => {
  const turn = await countSeizures(db);
  if (!seizes) return turn;
  const tx = db.transaction('meta', 'readwrite', { durability: 'strict' });
  const proof = mark(unwrap(tx).objectStore('meta'), keyOf(turn));
  await tx.done.catch((cause: unknown) => Promise.reject(faultOf(proof, cause)));
  return turn + 1;
};
