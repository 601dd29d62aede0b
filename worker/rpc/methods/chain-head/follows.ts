import { maxFollows, maxOperations, maxPinnedMs, maxPins } from '../../../../src/protocol/limits.ts';
import type { BlockRef } from '../../../chain/tree.ts';
import type { BlockHash } from '../../../codec/identity.ts';
import { RpcError } from '../../errors.ts';
import type { Sink } from '../../handlers.ts';
import type { RpcParts } from '../../parts.ts';

export type FollowEvent = { readonly event: string; readonly [member: string]: unknown };

/** One `chainHead_v1_follow`, with the blocks pinned for its client and its operations. */
export type Follow = {
  readonly connection: number;
  readonly withRuntime: boolean;
  readonly isBlocked: () => boolean;
  /** A no-op once the follow has ended. */
  readonly emit: (event: FollowEvent) => void;
  /** Whether the block is pinned. */
  has(hash: BlockHash): boolean;
  /** Pins a block. If the limit is reached, stops other follows, or this one. */
  pin(block: BlockRef): void;
  /** Unpins all of them or none. Throws -32801, -32804. */
  unpin(hashes: readonly BlockHash[]): void;
  /**
   * Reserves capacity for up to `wanted` items; null if there is none. The block stays pinned until the
   * operation ends.
   */
  begin(hash: BlockHash, wanted: number): string | null;
  isRunning(operation: string): boolean;
  finish(operation: string): void;
  /** Sends the stop event, after which there are no more events. */
  stop(): void;
  /** Releases everything. */
  close(): void;
};

export type Follows = {
  find(connection: number, id: string): Follow | null;
  /** Throws -32800 if the connection has too many follows. */
  open(connection: number, withRuntime: boolean, sink: Sink<FollowEvent>): Follow;
  stopAll(): void;
};

export const notPinned = (): RpcError => new RpcError(-32801, 'Invalid block hash');

type PinnedChain = Pick<RpcParts['chain'], 'keepPruned' | 'pinStates' | 'discard'>;

/**
 * Reference counts of pinned blocks. Blocks pruned by finality are deleted from the database with their last
 * pin.
 */
const createPins = (chain: PinnedChain) => {
  const pins = new Map<BlockHash, { count: number; readonly number: number }>();
  const lost = new Set<BlockHash>();
  chain.keepPruned(async (hashes) => {
    const kept = hashes.filter((hash) => pins.has(hash));
    for (const hash of kept) lost.add(hash);
    return new Set(kept);
  });
  void chain.pinStates(() => [...pins].map(([hash, { number }]) => ({ hash, number })));
  return {
    isFull: (): boolean => pins.size >= maxPins,
    has: (hash: BlockHash): boolean => pins.has(hash),
    add: ({ hash, number }: BlockRef): void => {
      const pin = pins.get(hash);
      if (pin === undefined) pins.set(hash, { count: 1, number });
      else pin.count++;
    },
    /** Adds a reference to a block that is pinned already. */
    addAgain: (hash: BlockHash): void => {
      const pin = pins.get(hash);
      if (pin !== undefined) pin.count++;
    },
    release: (hash: BlockHash): void => {
      const pin = pins.get(hash);
      if (pin !== undefined && --pin.count > 0) return;
      pins.delete(hash);
      if (!lost.delete(hash)) return;
      // A block that could not be deleted is never read again, so it does no harm.
      chain.discard([hash]).catch(() => undefined);
    },
  };
};

type Pins = ReturnType<typeof createPins>;
type Kept = Follow & { readonly oldest: () => number };
type FollowDeps = {
  readonly pinned: Pins;
  readonly now: () => number;
  readonly makeRoom: () => void;
  readonly forget: () => void;
};

/** The operations of a follow. Each occupies capacity while it runs and keeps its block pinned. */
const createOperations = (pinned: Pins) => {
  const running = new Map<string, { readonly hash: BlockHash; readonly cost: number }>();
  let free = maxOperations;
  let lastId = -1;
  const finish = (id: string): void => {
    const found = running.get(id);
    if (found === undefined) return;
    running.delete(id);
    free += found.cost;
    pinned.release(found.hash);
  };
  const begin = (hash: BlockHash, wanted: number): string | null => {
    const cost = Math.min(free, wanted);
    if (cost === 0) return null;
    free -= cost;
    lastId += 1;
    running.set(`${lastId}`, { hash, cost });
    pinned.addAgain(hash);
    return `${lastId}`;
  };
  const finishAll = (): void => {
    for (const id of [...running.keys()]) finish(id);
  };
  return { begin, finish, finishAll, isRunning: (id: string): boolean => running.has(id) };
};

const createFollow = (
  { pinned, now, makeRoom, forget }: FollowDeps,
  connection: number,
  withRuntime: boolean,
  sink: Sink<FollowEvent>,
): Kept => {
  const pins = new Map<BlockHash, number>();
  const { finishAll, ...operations } = createOperations(pinned);
  let isOver = false;
  const close = (): void => {
    if (isOver) return;
    isOver = true;
    forget();
    finishAll();
    for (const hash of pins.keys()) pinned.release(hash);
    pins.clear();
  };
  const emit = (event: FollowEvent): void => {
    if (!isOver) sink.emit(event);
  };
  return {
    ...operations,
    connection,
    withRuntime,
    isBlocked: sink.isBlocked,
    emit,
    close,
    has: (hash) => pins.has(hash),
    pin: (block) => {
      if (!pinned.has(block.hash) && pinned.isFull()) makeRoom();
      if (isOver || pins.has(block.hash)) return;
      pins.set(block.hash, now());
      pinned.add(block);
    },
    unpin: (hashes) => {
      if (new Set(hashes).size < hashes.length)
        throw new RpcError(-32804, 'Received duplicate hashes for the `chainHead_unpin` method');
      if (!hashes.every((hash) => pins.has(hash))) throw notPinned();
      for (const hash of hashes) {
        pins.delete(hash);
        pinned.release(hash);
      }
    },
    stop: () => {
      emit({ event: 'stop' });
      close();
      sink.end();
    },
    oldest: () => Math.min(...pins.values()),
  };
};

/**
 * The follows of all connections. They share the limit for pinned blocks. `now` is a clock in milliseconds.
 */
export const createFollows = (chain: PinnedChain, now: () => number): Follows => {
  const live = new Map<string, Kept>();
  const pinned = createPins(chain);
  const stopAll = (): void => {
    for (const follow of [...live.values()]) follow.stop();
  };
  const makeRoom = (): void => {
    for (const follow of [...live.values()]) if (now() - follow.oldest() > maxPinnedMs) follow.stop();
    if (pinned.isFull()) stopAll();
  };
  return {
    find: (connection, id) => {
      const found = live.get(id);
      return found?.connection === connection ? found : null;
    },
    open: (connection, withRuntime, sink) => {
      const own = [...live.values()].filter((follow) => follow.connection === connection);
      if (own.length >= maxFollows)
        throw new RpcError(-32800, 'Maximum number of chainHead_follow has been reached');
      const forget = (): void => void live.delete(sink.id);
      const follow = createFollow({ pinned, now, makeRoom, forget }, connection, withRuntime, sink);
      live.set(sink.id, follow);
      return follow;
    },
    stopAll,
  };
};
