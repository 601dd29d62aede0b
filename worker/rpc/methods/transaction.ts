import { maxBroadcasts } from '../../../src/protocol/limits.ts';
import type { transaction } from '../../../src/protocol/rpc/transaction.ts';
import { movesBest } from '../../chain/events.ts';
import { bytesToExtrinsicHash, type ExtrinsicHash } from '../../codec/identity.ts';
import { isTerminal, type TransactionStatus } from '../../pool/watchers.ts';
import { randomId } from '../connection/subscriptions.ts';
import type { RpcDialect } from '../dialects/dialect.ts';
import { RpcError } from '../errors.ts';
import type { Handlers } from '../handlers.ts';
import type { RpcParts } from '../parts.ts';
import { external, readExtrinsic } from './author/author.ts';
import { submitErrorText } from './author/submit-errors.ts';

type Deps = Pick<RpcParts, 'chain' | 'pool' | 'crypto' | 'onError'>;
type Event = { readonly event: string; readonly [member: string]: unknown };
type Read = { readonly extrinsic: Uint8Array; readonly hash: ExtrinsicHash };

/** Failures that may pass in a later block (sc-transaction-pool-api): pool statuses and errors. */
const passing = new Set<string>([
  'finalityTimeout',
  'invalid',
  'dropped',
  'banned',
  'immediatelyDropped',
  'futureRejected',
]);

const readBytes = ({ crypto }: Deps, bytes: Uint8Array, dialect: RpcDialect): Read | null => {
  try {
    const extrinsic = readExtrinsic(bytes, dialect);
    return { extrinsic, hash: bytesToExtrinsicHash(crypto.blake2b256(extrinsic)) };
  } catch (error) {
    if (error instanceof RpcError) return null;
    throw error;
  }
};

/** Ends a broadcast; `remove` also removes the transaction from the pool. */
type Close = (remove: boolean) => void;

/**
 * Submits the transaction, and resubmits it at each new best block after a temporary failure; calls `end`
 * when done.
 */
const broadcast = ({ chain, pool, onError }: Deps, { extrinsic, hash }: Read, end: () => void): Close => {
  let isOver = false;
  let isUnwanted = false;
  let isWaiting = false;
  let unwatch = (): void => undefined;
  const close: Close = (remove) => {
    if (isOver) return;
    isOver = true;
    isUnwanted = remove;
    off();
    unwatch();
    if (remove) pool.remove([hash], true);
  };
  const settle = (kind: string, mayPass: boolean): void => {
    unwatch();
    isWaiting = mayPass && passing.has(kind);
    if (isWaiting || isOver) return;
    close(false);
    end();
  };
  const attempt = async (): Promise<void> => {
    isWaiting = false;
    unwatch = pool.watch(hash, (status) => {
      if (isTerminal(status)) settle(status.kind, true);
    });
    const result = await pool.submit(extrinsic, external);
    // The runtime's verdict on the transaction is final, although the pool's `invalid` is not
    // (`is_retriable`).
    if (!result.ok) settle(result.reason, result.reason !== 'invalid');
    else if (isUnwanted) pool.remove([hash], true);
  };
  // A validation that throws says nothing about the transaction. Broadcasts have no event for it, so it is
  // logged.
  const start = (): void =>
    void attempt().catch((error: unknown) => {
      onError(error);
      settle('failed', false);
    });
  const off = chain.onEvent((event) => {
    if (isWaiting && movesBest(event)) start();
  });
  start();
  return close;
};

/** Null for what the events do not mention (sc-rpc-spec-v2 `transaction.rs`, `handle_event`). */
const toEvent = (status: TransactionStatus): Event | null => {
  switch (status.kind) {
    case 'ready':
    case 'future':
      return { event: 'validated' };
    case 'broadcast':
      return null;
    case 'inBlock':
      return { event: 'bestChainBlockIncluded', block: { hash: status.block, index: status.index } };
    case 'retracted':
      return { event: 'bestChainBlockIncluded', block: null };
    case 'finalized':
      return { event: 'finalized', block: { hash: status.block, index: status.index } };
    case 'finalityTimeout':
      return { event: 'dropped', error: 'Maximum number of finality watchers has been reached' };
    case 'dropped':
      return {
        event: 'dropped',
        error: status.why ?? 'Extrinsic dropped from the pool due to exceeding limits',
      };
    case 'usurped':
      return { event: 'invalid', error: 'Extrinsic was rendered invalid by another extrinsic' };
    case 'invalid':
      return { event: 'invalid', error: 'Extrinsic marked as invalid' };
    default:
      return status satisfies never;
  }
};

/**
 * The methods of one server. Broadcasts belong to their connection. Over HTTP, each request or batch is a
 * connection (sc-rpc-servers builds a service for each) that ends with its response: no other request can
 * stop its broadcast or counts towards the same limit, and the broadcast continues.
 */
export const createTransactionMethods = (): Handlers<typeof transaction, Deps> => {
  const underWay = new WeakMap<object, Map<string, Close>>();
  return {
    transaction_v1_broadcast: (deps, { bytes }, { caller, dialect, isShared, signal }) => {
      const id = randomId();
      const read = readBytes(deps, bytes, dialect);
      const known = underWay.get(caller);
      const own = known ?? new Map<string, Close>();
      if (own.size >= maxBroadcasts) return null;
      if (known === undefined) {
        underWay.set(caller, own);
        const closeAll = (): void => {
          for (const close of own.values()) close(false);
        };
        if (!isShared) signal.addEventListener('abort', closeAll);
      }
      const counts = dialect.countsOverBroadcasts;
      const end = (): void => void (counts || own.delete(id));
      if (read !== null) own.set(id, broadcast(deps, read, end));
      else if (counts) own.set(id, () => undefined);
      return id;
    },
    transaction_v1_stop: (_deps, { operation_id }, { caller, dialect }) => {
      const own = underWay.get(caller);
      const close = own?.get(operation_id);
      if (close === undefined) throw new RpcError(-32602, 'Invalid operation id');
      own?.delete(operation_id);
      close(dialect.stopTakesOut);
      return null;
    },
    transactionWatch_v1_submitAndWatch: (deps, { bytes }, sink, { dialect }) => {
      const fail = (error: string, event = 'invalid'): void => {
        sink.emit({ event, error });
        sink.end();
      };
      const read = readBytes(deps, bytes, dialect);
      if (read === null) {
        fail('Extrinsic bytes cannot be decoded');
        return () => undefined;
      }
      const notify = (status: TransactionStatus): void => {
        const event = toEvent(status);
        if (event !== null) sink.emit(event);
        if (isTerminal(status)) sink.end();
      };
      // Statuses before the pool's response are reported only if the transaction was new to the pool.
      let early: TransactionStatus[] | null = [];
      const unwatch = deps.pool.watch(read.hash, (status) => {
        if (early === null) notify(status);
        else early.push(status);
      });
      const submit = async (): Promise<void> => {
        const result = await deps.pool.submit(read.extrinsic, external);
        const statuses = early ?? [];
        early = null;
        if (result.ok) {
          for (const status of statuses) notify(status);
          return;
        }
        unwatch();
        fail(submitErrorText(result));
      };
      submit().catch((error: unknown) => {
        // An error of the node says nothing about the transaction and does not make it invalid.
        unwatch();
        deps.onError(error);
        fail(`Verification error: ${error}`, 'error');
      });
      return unwatch;
    },
  };
};
