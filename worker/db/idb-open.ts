import { type DBSchema, type IDBPDatabase, openDB, unwrap } from 'idb';
import { NodeError } from '../../src/protocol/errors.ts';
import { closedError } from './database.ts';
import { type StoreName, schemaVersion, storeNames, stores } from './stores.ts';

export interface Schema extends DBSchema, Record<StoreName, { key: ArrayBuffer; value: Uint8Array }> {}

export type SchemaDb = IDBPDatabase<Schema>;

export type IdbOptions = {
  /** How long another tab with an older version may block opening before `ChainInUse`. */
  readonly blockedTimeoutMs?: number;
  /** Called once if the database is lost: deleted, or taken over by another tab or a newer version of the node. */
  readonly onLost?: (error: NodeError) => void;
  /** Ends the turn of the tab that has the chain, which will not write again (idb-turns.ts). Default: no. */
  readonly seizes?: boolean;
  /** For tests of a version change only. Default: `schemaVersion`. */
  readonly version?: number;
};

/** Chromium closes a database for which the disk has no room, without an error of its own. */
export const diskFull = 'The disk is full. Stored data is safe. Free disk space, then reload the page.';

/** Names and texts of browsers that keep no data for the page; of a missing IndexedDB, that of the language. */
const denied = /^(Type|Security|InvalidState)Error|denied/;

/** Marks the errors after which the database is not opened again. */
const lost = { isLost: true } as const;

export const isLost = ({ code, details }: NodeError): boolean =>
  code === 'ChainInUse' || details['isLost'] === true;

export const toNodeError = (cause: unknown, isOpening = false): NodeError => {
  if (cause instanceof NodeError) return cause;
  const { name, message } =
    cause instanceof Error || cause instanceof DOMException ? cause : { name: '', message: String(cause) };
  if (message.includes('NO_SPACE')) return new NodeError('StorageQuota', diskFull, { cause });
  if (name === 'QuotaExceededError') return new NodeError('StorageQuota', undefined, { cause });
  if (name === 'VersionError')
    return new NodeError('StorageBroken', 'The database is of a newer version than this node knows', {
      cause,
      details: lost,
    });
  const words = `${name === '' ? '' : `${name}: `}${message}`;
  const code = isOpening && denied.test(words) ? 'StorageDenied' : 'StorageBroken';
  return new NodeError(code, `IndexedDB: ${words}`, { cause });
};

const createStores = (db: SchemaDb, oldVersion: number): void => {
  for (const name of storeNames) {
    if (stores[name].since > oldVersion && !db.objectStoreNames.contains(name)) db.createObjectStore(name);
  }
};

export type Opening = {
  readonly name: string;
  readonly options: IdbOptions;
  /** Whether the database must exist; otherwise it is created. */
  readonly mustExist: boolean;
  /** How long an attempt may take. A connection that opens later is closed. Default: no limit. */
  readonly limitMs?: number;
  /** Called when the node does not close it itself; `error` if it is lost for good. */
  readonly onLoss: (error: NodeError | null, db: SchemaDb | null) => void;
};

const lostError = (message: string): NodeError => new NodeError('StorageBroken', message, { details: lost });

const deletedError = (): NodeError => lostError('This chain was deleted');

const slowError = (): NodeError => closedError('The browser closed the database and does not open it again');

/** Whether the connection is closed, which its transactions may notice before its `close` event. */
export const isClosed = (db: SchemaDb): boolean => {
  try {
    unwrap(db).transaction('meta');
    return false;
  } catch {
    return true;
  }
};

const noop = (): void => undefined;

/**
 * A store for reading. The requests report what goes wrong; the promise of the transaction, which nobody awaits, would
 * be an unhandled rejection when the browser closes the database.
 */
export const readStore = (db: SchemaDb, name: StoreName) => {
  const tx = db.transaction(name);
  tx.done.catch(noop);
  return tx.store;
};

/** Throws `StorageBroken` if the database must exist and does not; it is not created then. */
export const openConnection = (opening: Opening): Promise<SchemaDb> =>
  new Promise((resolve, reject) => {
    const { name, options, mustExist, limitMs, onLoss } = opening;
    let db: SchemaDb | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let refused = false;
    let isGone = false;
    const refuseAfter = (ms: number, why: () => NodeError): void => {
      timer ??= setTimeout(() => {
        refused = true;
        reject(why());
      }, ms);
    };
    const inUse = () =>
      new NodeError('ChainInUse', 'An older version of the node holds this chain open in another tab');
    // Async, so that an error thrown at once is a rejection too.
    const connect = async () =>
      openDB<Schema>(name, options.version ?? schemaVersion, {
        upgrade: (created, oldVersion, _version, transaction) => {
          isGone = mustExist && oldVersion === 0;
          if (!isGone) return createStores(created, oldVersion);
          transaction.done.catch(noop);
          transaction.abort();
        },
        // Older tabs close on `blocking`. Only one that does not is an error.
        blocked: () => refuseAfter(options.blockedTimeoutMs ?? 3000, inUse),
        blocking: (_from, to) => {
          const error =
            to === null ? deletedError() : lostError('A newer version of the node opened this chain');
          onLoss(error, db);
        },
        terminated: () => onLoss(null, db),
      });
    if (limitMs !== undefined) refuseAfter(limitMs, slowError);
    connect().then(
      (connection) => {
        clearTimeout(timer);
        db = connection;
        if (refused) connection.close();
        else resolve(connection);
      },
      (cause: unknown) => {
        clearTimeout(timer);
        reject(isGone ? deletedError() : toNodeError(cause, true));
      },
    );
  });
