import { createBoundedMap } from '../../bytes/bounded-map.ts';
import { Reader } from '../../bytes/reader.ts';
import { Writer } from '../../bytes/writer.ts';
import { readExtrinsic } from '../../codec/block.ts';
import type { ExtrinsicHash } from '../../codec/identity.ts';
import type { Pool, PoolTransaction } from '../../pool/pool.ts';
import { reputationChanges } from '../reputation-changes.ts';
import type { Connection } from '../transport/connection.ts';
import { createNotifications, type NotificationOptions, type Notifications } from './notifications.ts';

export type TransactionsDeps = Pick<NotificationOptions, 'names' | 'schedule' | 'handshake'> & {
  readonly pool: Pick<Pool, 'broadcast' | 'hashOf' | 'onReady' | 'ready' | 'submit'>;
  readonly rate: (peer: string, change: number) => void;
  /** A peer of the chain, and not a light one. */
  readonly isMember: (connection: Connection) => boolean;
  /** Whether the node is far behind its peers: its pool takes nothing from them then. */
  readonly isSyncing: () => boolean;
  readonly onError: (error: unknown) => void;
};

export type Transactions = Pick<Notifications, 'served' | 'open' | 'isOpen' | 'close'> & {
  /** Sends nothing more. */
  end(): void;
};

const maxMessageBytes = 16 * 1024 * 1024;
/** What a peer has not taken yet. Transactions beyond it are offered again with the next sweep. */
const maxQueuedBytes = 2 * 1024 * 1024;
/** How many transactions are remembered per peer (sc-network-transactions `MAX_KNOWN_TRANSACTIONS`). */
const maxKnown = 10_240;
/** Transactions of peers that are validated at a time; more are ignored (`MAX_PENDING_TRANSACTIONS`: 8,192). */
const maxPending = 512;
/** What some peer could not take is offered again after this time (`PROPAGATE_TIMEOUT`). */
const sweepMs = 2900;
/** TransactionSource::External. */
const external = 2;

const encodeOne = (extrinsic: Uint8Array): Uint8Array =>
  new Writer(extrinsic.length + 1).compact(1).raw(extrinsic).finish();

/** Null if the bytes are not exactly a list of extrinsics. */
const decodeList = (bytes: Uint8Array): Uint8Array[] | null => {
  try {
    const reader = new Reader(bytes);
    const list = reader.vec(readExtrinsic);
    reader.end();
    return list;
  } catch {
    return null;
  }
};

type Known = ReturnType<typeof createBoundedMap<ExtrinsicHash, true>>;

/** Submits the transactions of a peer, and rates it by what becomes of them (sc-network-transactions `rep`). */
const createReceiver = ({ pool, rate, isSyncing, onError }: TransactionsDeps) => {
  let pending = 0;
  const take = async (peer: string, extrinsic: Uint8Array): Promise<void> => {
    pending++;
    rate(peer, reputationChanges.transaction);
    try {
      const result = await pool.submit(extrinsic, external);
      if (result.ok) rate(peer, reputationChanges.goodTransaction);
      else if (result.reason === 'alreadyImported') rate(peer, reputationChanges.knownTransaction);
      else if (result.reason === 'invalid' || result.reason === 'banned')
        rate(peer, reputationChanges.badTransaction);
    } catch (error) {
      onError(error);
    } finally {
      pending--;
    }
  };
  return (peer: string, known: Known | undefined, bytes: Uint8Array): void => {
    if (isSyncing()) return;
    const list = decodeList(bytes);
    if (list === null) rate(peer, reputationChanges.undecodable);
    for (const extrinsic of list ?? []) {
      known?.keep(pool.hashOf(extrinsic), true);
      if (pending < maxPending) void take(peer, extrinsic);
    }
  };
};

/** `transactions/1`: each ready transaction goes to each peer once. */
export const createTransactions = (deps: TransactionsDeps): Transactions => {
  const { pool } = deps;
  const peers = new Map<Connection, Known>();
  const receive = createReceiver(deps);
  /** Whether some peer could not take all. */
  let isOwed = false;
  const offer = (transaction: PoolTransaction, to: Iterable<readonly [Connection, Known]>): void => {
    if (!transaction.propagate) return;
    const { hash } = transaction;
    const reached: string[] = [];
    for (const [connection, known] of to) {
      if (known.has(hash)) continue;
      if (links.send(connection, encodeOne(transaction.extrinsic))) {
        known.keep(hash, true);
        reached.push(connection.remoteId);
      } else isOwed = true;
    }
    if (reached.length > 0) pool.broadcast(hash, reached);
  };
  const offerAll = (to: readonly (readonly [Connection, Known])[]): void => {
    if (to.length === 0) return;
    isOwed ||= deps.isSyncing();
    if (isOwed) return;
    for (const transaction of pool.ready()) offer(transaction, to);
  };
  const links = createNotifications({
    ...deps,
    limits: { maxMessageBytes, maxQueuedBytes, priority: 'announce' },
    accepts: deps.isMember,
    opened: (connection) => {
      const known: Known = createBoundedMap(maxKnown);
      peers.set(connection, known);
      offerAll([[connection, known]]);
    },
    message: (connection, bytes) => receive(connection.remoteId, peers.get(connection), bytes),
    closed: (connection) => void peers.delete(connection),
  });
  const off = pool.onReady((transaction) => {
    if (peers.size === 0) return;
    if (deps.isSyncing()) isOwed = true;
    else offer(transaction, peers);
  });
  let cancel = (): void => undefined;
  const sweep = (): void => {
    cancel = deps.schedule(sweepMs, () => {
      if (isOwed) {
        isOwed = false;
        offerAll([...peers]);
      }
      sweep();
    });
  };
  sweep();
  const end = (): void => {
    off();
    cancel();
  };
  return { ...links, end };
};
