import { NodeError } from '../../src/protocol/errors.ts';
import type { ReplayReport } from '../../src/protocol/replay.ts';
import type { Head, Origin } from '../chain/origin.ts';
import { decodeHeader } from '../codec/header.ts';
import { type BlockHash, blockHashToBytes, bytesToBlockHash } from '../codec/identity.ts';
import type { Replayer } from './run-block.ts';

export type FollowOptions = {
  readonly head: Head;
  /** Ends after this many blocks. Null: never. */
  readonly count: number | null;
  /** Ends at the first block that differs. */
  readonly stopsAtDifference: boolean;
};

export type FollowListener = {
  /** The next block is executed once this has settled. */
  block(report: ReplayReport): Promise<void> | void;
  /** A block or a head could not be read; it is tried again with the next head. */
  problem(error: NodeError): void;
};

/** How many blocks are executed at most to reach a head; older ones are skipped, such as after a long failure. */
const longestCatchUp = 1000;

const isOfEndpoints = (error: unknown): error is NodeError =>
  error instanceof NodeError && (error.code.startsWith('Endpoint') || error.code === 'NotCached');

/** The blocks from the last executed one, or its fork point, up to a head, lowest first. */
const pathTo = async (
  origin: Pick<Origin, 'header'>,
  head: BlockHash,
  executed: ReadonlySet<BlockHash>,
): Promise<BlockHash[]> => {
  const path: BlockHash[] = [];
  for (let hash = head; !executed.has(hash) && path.length < longestCatchUp; ) {
    const bytes = await origin.header(blockHashToBytes(hash));
    if (bytes === null) throw new NodeError('EndpointFailed', `No endpoint knows the block ${hash}`);
    const { number, parentHash } = decodeHeader(bytes);
    if (number === 0) break;
    path.push(hash);
    // The first head alone: what lies below it was not asked for.
    if (executed.size === 0) break;
    hash = bytesToBlockHash(parentHash);
  }
  return path.reverse();
};

/** The hashes of the last blocks, oldest first. */
const createRecent = (limit: number) => {
  const hashes = new Set<BlockHash>();
  return {
    hashes: hashes as ReadonlySet<BlockHash>,
    add: (hash: BlockHash): void => {
      hashes.add(hash);
      const [oldest] = hashes;
      if (hashes.size > limit && oldest !== undefined) hashes.delete(oldest);
    },
  };
};

/** Heads as they come; only the latest one waits. */
const createLatest = () => {
  let waiting: BlockHash | null = null;
  let wake: () => void = () => undefined;
  return {
    put: (hash: BlockHash): void => {
      waiting = hash;
      wake();
    },
    take: async (): Promise<BlockHash> => {
      while (waiting === null)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      const hash = waiting;
      waiting = null;
      return hash;
    },
  };
};

/**
 * Executes each new block of a live chain, forks included, until `options` say otherwise. Resolves to the last block that
 * differs, null if all were the same. Rejects with `Aborted` once the origin is closed.
 */
export const followBlocks = async (
  origin: Pick<Origin, 'follow' | 'header'>,
  replayer: Pick<Replayer, 'run'>,
  { head, count, stopsAtDifference }: FollowOptions,
  listener: FollowListener,
): Promise<BlockHash | null> => {
  const recent = createRecent(2 * longestCatchUp);
  const heads = createLatest();
  const onFault = (error: unknown): void => {
    if (isOfEndpoints(error)) listener.problem(error);
  };
  const stop = origin.follow(head, (hash) => heads.put(bytesToBlockHash(hash)), onFault);
  let executed = 0;
  let differing: BlockHash | null = null;
  try {
    for (;;) {
      const hash = await heads.take();
      try {
        for (const next of await pathTo(origin, hash, recent.hashes)) {
          const report = await replayer.run(next, false);
          recent.add(next);
          executed += 1;
          if (!report.isSame) differing = next;
          await listener.block(report);
          if (executed === count || (stopsAtDifference && differing !== null)) return differing;
        }
      } catch (error) {
        if (!isOfEndpoints(error)) throw error;
        listener.problem(error);
      }
    }
  } finally {
    stop();
  }
};
