import type { Chain } from '../../chain/chain.ts';
import { hashHeader } from '../../chain/hashes.ts';
import type { BlockRef } from '../../chain/tree.ts';
import { type BlockHash, bytesToBlockHash } from '../../codec/identity.ts';
import type { Crypto } from '../../crypto/crypto.ts';
import type { Announcement } from '../protocol/block-announces.ts';
import { type BlockRequest, blockParts, wholeBlock } from '../protocol/block-request.ts';
import { type AncestorSearch, beginSearch, continueSearch } from './ancestor.ts';
import { createDownload, type Download, type Range } from './download.ts';
import { createImportQueue, type ImportQueue, type ImportQueueDeps } from './import-queue.ts';
import { type Downloaded, isBadResponse, readBlocks, readHeaderAt } from './response.ts';
import { createTips, type Tip } from './tips.ts';

export type SyncDeps = Pick<ImportQueueDeps, 'isSyncing' | 'rate' | 'punish' | 'onError'> & {
  readonly chain: Pick<Chain, 'base' | 'best' | 'finalized' | 'import' | 'loadHashAt' | 'view'>;
  readonly crypto: Pick<Crypto, 'blake2b256'>;
  /** Sends a request of `sync/2`. Rejects if there is no response. */
  readonly request: (peer: string, request: BlockRequest) => Promise<Uint8Array>;
  readonly schedule: (ms: number, run: () => void) => () => void;
  readonly limits: () => {
    /** `--max-blocks-per-request`. */
    readonly maxBlocks: number;
    /** How many peers are asked for the blocks of one chain at once (`--max-parallel-downloads`). */
    readonly maxParallel: number;
  };
};

/** Fetches what peers announce, and imports it (sc-network-sync `strategy/chain_sync.rs`). */
export type Sync = {
  /** A peer that serves blocks. */
  addPeer(id: string, best: BlockRef): void;
  removePeer(id: string): void;
  announced(id: string, announcement: Announcement): void;
  /** Forgets what is under way or waits for its import. Peers that remain are asked for it again. */
  drop(): void;
  /** Resolves when no import is under way. */
  close(): Promise<void>;
};

/** Most blocks that wait, under way included, and their bytes, without those under way. */
const maxWaiting = 2048;
const maxWaitingBytes = 32 * 1024 * 1024;
/** After a refusal that is nobody's fault. */
const pauseMs = 2000;

type Peer = {
  readonly id: string;
  best: BlockRef;
  isBusy: boolean;
  /** It did not respond: nothing more is sent to it, and it is about to be removed. */
  isLost: boolean;
  /** Peers that have sent blocks of another chain when they were asked for those of this one. */
  readonly onOtherFork: Set<string>;
  /** A best block whose chain cannot be joined with ours. */
  foreign: BlockHash | null;
};

type State = SyncDeps & {
  readonly peers: Map<string, Peer>;
  readonly queue: ImportQueue;
  readonly tips: ReturnType<typeof createTips>;
  download: Download | null;
  /** Whose common block is looked for. */
  searching: Peer | null;
  isPaused: boolean;
  isClosed: boolean;
};

const isKnown = ({ chain, queue }: State, hash: BlockHash): boolean =>
  chain.view.tree.get(hash) !== null || queue.has(hash);

const isNeeded = (state: State, { hash, number }: BlockRef): boolean =>
  number > state.chain.finalized().number && !isKnown(state, hash);

const hasRoom = ({ queue, download }: State): boolean =>
  queue.count() + (download?.count() ?? 0) < maxWaiting &&
  queue.bytes() + (download?.heldBytes() ?? 0) < maxWaitingBytes;

/** The part of linked blocks, ascending, that has a known parent; empty if there is none. */
const joinable = (state: State, blocks: readonly Downloaded[]): readonly Downloaded[] => {
  const start = blocks.findLastIndex(({ parent }) => isKnown(state, parent));
  return start < 0 ? [] : blocks.slice(start);
};

/** Runs a request of a peer, which is busy meanwhile. */
const occupy = async (state: State, peer: Peer, work: () => Promise<void>): Promise<void> => {
  peer.isBusy = true;
  try {
    await work();
  } catch (error) {
    state.onError(error);
  } finally {
    peer.isBusy = false;
    pump(state);
  }
};

/** Null if the peer did not respond: then it has left, or was punished by whoever sent the request. */
const ask = (state: State, peer: Peer, request: Omit<BlockRequest, 'takesSeveral'>) =>
  state.request(peer.id, { ...request, takesSeveral: true }).catch(() => {
    peer.isLost = true;
    return null;
  });

const fetchRange = (state: State, peer: Peer, download: Download, range: Range): Promise<void> =>
  occupy(state, peer, async () => {
    const max = range.last - range.first + 1;
    const request = { parts: wholeBlock, from: range.first, isDescending: false, max } as const;
    const bytes = await ask(state, peer, request);
    if (state.download !== download) return;
    const blocks = bytes === null ? null : readBlocks(state.crypto, peer.id, bytes, request);
    if (blocks === null || isBadResponse(blocks)) {
      download.release(peer.id);
      if (blocks !== null) state.punish(peer.id, blocks.change);
      return;
    }
    download.received(range, blocks);
    state.queue.add(download.take());
    if (!download.isBroken() && !download.isDone()) return;
    state.download = null;
    const targetPeer = state.peers.get(download.targetPeer);
    // Others have filled the heights with blocks of another chain.
    if (targetPeer !== undefined && isNeeded(state, targetPeer.best)) download.distrust();
  });

const fetchTip = (state: State, peer: Peer, tip: Tip): Promise<void> =>
  occupy(state, peer, async () => {
    tip.peer = peer.id;
    const below = tip.number - state.chain.finalized().number;
    const max =
      tip.parent !== null && isKnown(state, tip.parent) ? 1 : Math.min(state.limits().maxBlocks, below);
    const request = { parts: wholeBlock, from: tip.hash, isDescending: true, max } as const;
    const bytes = await ask(state, peer, request).finally(() => {
      tip.peer = null;
    });
    const blocks = bytes === null ? null : readBlocks(state.crypto, peer.id, bytes, request);
    if (blocks === null) return state.tips.without(tip, peer.id);
    if (isBadResponse(blocks)) {
      state.tips.without(tip, peer.id);
      return state.punish(peer.id, blocks.change);
    }
    state.tips.delete(tip);
    // If none of them joins a known block, the common block is looked for if this is the peer's best chain.
    state.queue.add(joinable(state, blocks));
  });

/** Whether both have the same block there; null if the peer did not say. */
const compareAt = async (state: State, peer: Peer, number: number): Promise<boolean | null> => {
  // Without it, the peer would be on another chain.
  if (number === state.chain.base.number) return true;
  const request = { parts: blockParts.header, from: number, isDescending: false, max: 1 } as const;
  const bytes = await ask(state, peer, { ...request, parts: blockParts.header | blockParts.justification });
  const header = bytes === null ? null : readHeaderAt(bytes, number);
  if (bytes === null) return null;
  if (isBadResponse(header)) {
    state.punish(peer.id, header.change);
    return null;
  }
  return header !== null && hashHeader(state.crypto, header) === (await state.chain.loadHashAt(number));
};

/** Looks for the highest common block, and begins to download what is above it. */
const findCommon = (state: State, peer: Peer): Promise<void> =>
  occupy(state, peer, async () => {
    state.searching = peer;
    try {
      const { chain } = state;
      const target = peer.best;
      let search: AncestorSearch = beginSearch(chain.best().number, target.number, chain.finalized().number);
      for (;;) {
        const isEqual = await compareAt(state, peer, search.at);
        if (isEqual === null || state.peers.get(peer.id) !== peer) return;
        const result = continueSearch(search, isEqual);
        if (result.kind === 'foreign') peer.foreign = target.hash;
        if (result.kind === 'more') search = result.search;
        if (result.kind !== 'common') {
          if (result.kind === 'more') continue;
          return;
        }
        const hash = await chain.loadHashAt(result.number);
        // The peer's chain has changed meanwhile: it has left its best block.
        if (result.number >= peer.best.number) peer.foreign = peer.best.hash;
        else if (hash !== null)
          state.download = createDownload(peer, { hash, number: result.number }, peer.best.number);
        return;
      }
    } finally {
      state.searching = null;
    }
  });

/** Whether the peer's best chain is to be downloaded from its common block on. */
const isAhead = (state: State, peer: Peer): boolean =>
  peer.foreign !== peer.best.hash && !state.tips.has(peer.best.hash) && isNeeded(state, peer.best);

const assign = (state: State, peer: Peer): void => {
  const { download } = state;
  if (download !== null) {
    const isFull =
      [...state.peers.values()].filter(({ isBusy }) => isBusy).length >= state.limits().maxParallel;
    const range =
      isFull || !hasRoom(state) ? null : download.next(peer.id, peer.best.number, state.limits().maxBlocks);
    if (range !== null) return void fetchRange(state, peer, download, range);
  }
  const tip = hasRoom(state) ? state.tips.next(peer.id) : null;
  if (tip !== null) return void fetchTip(state, peer, tip);
  if (download === null && state.searching === null && isAhead(state, peer)) void findCommon(state, peer);
};

/** Gives each idle peer something to send, those that are furthest ahead first. */
const pump = (state: State): void => {
  if (state.isPaused || state.isClosed) return;
  const { tips, peers } = state;
  tips.prune((tip) => isNeeded(state, tip));
  const byBest = [...peers.values()].sort((a, b) => b.best.number - a.best.number);
  for (const peer of byBest) if (!peer.isBusy && !peer.isLost) assign(state, peer);
};

const pause = (state: State): void => {
  if (state.isPaused || state.isClosed) return;
  state.isPaused = true;
  state.download = null;
  state.schedule(pauseMs, () => {
    state.isPaused = false;
    pump(state);
  });
};

export const createSync = (deps: SyncDeps): Sync => {
  const queue = createImportQueue({
    ...deps,
    onImported: () => pump(state),
    onRefused: () => pause(state),
  });
  const state: State = {
    ...{ ...deps, queue, peers: new Map(), tips: createTips() },
    ...{ download: null, searching: null, isPaused: false, isClosed: false },
  };
  const isNear = ({ number }: BlockRef): boolean =>
    number - deps.chain.best().number <= deps.limits().maxBlocks;
  /** A block of a peer, of which its parent may be known. */
  const offer = (peer: Peer, block: BlockRef, parent: BlockHash | null): void => {
    if (isNeeded(state, block) && isNear(block)) state.tips.add(peer.id, block, parent);
    if (state.download?.targetPeer === peer.id) state.download.extend(peer.best.number);
    pump(state);
  };
  return {
    addPeer: (id, best) => {
      const peer: Peer = { id, best, isBusy: false, isLost: false, onOtherFork: new Set(), foreign: null };
      state.peers.set(id, peer);
      offer(peer, best, null);
    },
    removePeer: (id) => {
      state.peers.delete(id);
      state.tips.forget(id);
      state.download?.release(id);
      if (state.download?.targetPeer === id) state.download = null;
      pump(state);
    },
    announced: (id, { header, isBest }) => {
      const peer = state.peers.get(id);
      if (peer === undefined) return;
      const block = { hash: hashHeader(deps.crypto, header), number: header.number };
      if (isBest) peer.best = block;
      offer(peer, block, bytesToBlockHash(header.parentHash));
    },
    drop: () => {
      state.download = null;
      queue.drop();
      pump(state);
    },
    close: async () => {
      state.isClosed = true;
      state.download = null;
      state.peers.clear();
      await queue.close();
    },
  };
};
