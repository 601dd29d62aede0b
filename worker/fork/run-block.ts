import { NodeError } from '../../src/protocol/errors.ts';
import type { ReplayReport } from '../../src/protocol/replay.ts';
import type { Origin } from '../chain/origin.ts';
import { type BlockHash, bytesToBlockHash } from '../codec/identity.ts';
import { findDifference } from './compare.ts';
import { type LiveDeps, type LiveOrigin, type LiveView, openLiveView } from './live-view.ts';
import { type ReplaySource, replayBlock } from './replay.ts';
import { decodeReplayPack, encodeReplayPack, packOrigin, recordingOrigin } from './replay-pack.ts';
import { reportReplay } from './report.ts';

/** Executes blocks of a live chain one after the other; what one block read serves the next. */
export type Replayer = {
  /** Throws `UnknownBlock`, `Unsupported`, and the errors of endpoints. */
  run(hash: BlockHash, withPhases: boolean): Promise<ReplayReport>;
  /** The block in one file, with all that its execution reads (`runReplayPack`). Throws like `run`. */
  pack(hash: BlockHash): Promise<Uint8Array>;
};

const hashText = /^(?:0x)?([0-9a-f]{64})$/i;

/** A block by its hash, its number, `best` or `finalized`. Throws `UnknownBlock`. */
export const findLiveBlock = async (
  origin: Pick<Origin, 'latest' | 'hashAt'>,
  text: string,
): Promise<BlockHash> => {
  if (text === 'best' || text === 'finalized') return bytesToBlockHash(await origin.latest(text));
  const found = hashText.exec(text);
  if (found !== null) return `0x${(found[1] as string).toLowerCase()}` as BlockHash;
  const hash = await origin.hashAt(Number(text));
  if (hash === null) throw new NodeError('UnknownBlock', `The chain has no block #${text} yet`);
  return bytesToBlockHash(hash);
};

export type RunOptions = { readonly withPhases: boolean; readonly nowMs: () => number };

/** Executes a block, and if its root differs, finds where. Throws like `replayBlock`. */
export const replayAndCompare = async (
  source: ReplaySource,
  hash: BlockHash,
  { withPhases, nowMs }: RunOptions,
): Promise<ReplayReport> => {
  const first = await replayBlock(source, hash, { withChanges: withPhases, nowMs });
  const needsChanges = !first.isSame && !withPhases;
  const replay = needsChanges ? await replayBlock(source, hash, { withChanges: true, nowMs }) : first;
  const difference = replay.isSame ? null : await findDifference(source, replay);
  return reportReplay(source, replay, { difference, withPhases, requests: 0, bytes: 0 });
};

export type ReplayerDeps = Omit<LiveDeps, 'origin' | 'executor'> & {
  /** One that knows no runtime yet. */
  readonly newExecutor: () => LiveDeps['executor'];
  readonly origin: LiveOrigin & Pick<Origin, 'stats'>;
  readonly nowMs: () => number;
};

const runOne = async (
  live: LiveView,
  { origin, nowMs }: ReplayerDeps,
  hash: BlockHash,
  withPhases: boolean,
): Promise<ReplayReport> => {
  const before = origin.stats();
  const report = await replayAndCompare(live, hash, { withPhases, nowMs });
  const after = origin.stats();
  return { ...report, requests: after.requests - before.requests, bytes: after.bytes - before.bytes };
};

/** Executes a block once more, reading nothing that is known, and packs all that is read. */
const packOne = async (live: LiveView, deps: ReplayerDeps, hash: BlockHash): Promise<Uint8Array> => {
  const { blake2b256 } = deps.crypto;
  const { origin, pack } = recordingOrigin(blake2b256, deps.origin, live.nodes);
  // An executor that knows the runtime already would not read its code.
  const recorded = await openLiveView({ ...deps, executor: deps.newExecutor(), origin });
  await replayAndCompare(recorded, hash, { withPhases: true, nowMs: deps.nowMs });
  return encodeReplayPack(blake2b256, pack(hash));
};

export const createReplayer = async (deps: ReplayerDeps): Promise<Replayer> => {
  const live = await openLiveView({ ...deps, executor: deps.newExecutor() });
  return {
    run: (hash, withPhases) => runOne(live, deps, hash, withPhases),
    pack: (hash) => packOne(live, deps, hash),
  };
};

/** Executes the block of a pack as it was executed when the pack was made. Throws `BadValue`. */
export const runReplayPack = async (
  deps: Omit<ReplayerDeps, 'origin'>,
  bytes: Uint8Array,
): Promise<ReplayReport> => {
  const { blake2b256 } = deps.crypto;
  const pack = decodeReplayPack(blake2b256, bytes);
  const origin = packOrigin(blake2b256, pack);
  const live = await openLiveView({ ...deps, executor: deps.newExecutor(), origin });
  return replayAndCompare(live, pack.hash, { withPhases: true, nowMs: deps.nowMs });
};
