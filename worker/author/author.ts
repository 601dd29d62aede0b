import { type ErrorCode, NodeError } from '../../src/protocol/errors.ts';
import { maxSealJobs } from '../../src/protocol/limits.ts';
import type { Chain } from '../chain/chain.ts';
import { hashHeader } from '../chain/hashes.ts';
import type { NetworkRule } from '../chain/network-rule.ts';
import { recordsProofSize } from '../chain/proofs.ts';
import { type Block, blockLength } from '../codec/block.ts';
import { encodeHeader, type Header } from '../codec/header.ts';
import { type BlockHash, blockHashToBytes } from '../codec/identity.ts';
import type { Crypto } from '../crypto/crypto.ts';
import type { Executor, FuelBudget, Runtime } from '../executor/executor.ts';
import type { SignatureCache } from '../executor/signature-cache.ts';
import type { Pool } from '../pool/pool.ts';
import { createOverlay } from '../state/overlay.ts';
import { type Pace, startPace } from '../tasks/pace.ts';
import { createQueue } from '../tasks/queue.ts';
import { runPredicting } from './build-prediction.ts';
import { dryRunExtrinsic } from './dry-run.ts';
import type { Claim, ClaimInput, SlotEngine } from './engine.ts';
import type { Finality } from './finality-mode.ts';
import { createHolds, type EndHold } from './holds.ts';
import {
  createUnread,
  type GivenOrOfPool,
  given,
  type Left,
  listLeft,
  refusedGiven,
  refusedOnBest,
} from './left-out.ts';
import { type Candidates, type Proposal, proposeBlock } from './proposer.ts';

export type SealOptions = {
  readonly createEmpty: boolean;
  readonly finalize: boolean;
  readonly parent?: BlockHash;
  /** Use the wall clock's current slot instead of the next claimable one. */
  readonly wall?: boolean;
  /** Record the storage proof: the trie nodes that the block reads. */
  readonly prove?: boolean;
  /** Report which of the pool's ready transactions the block leaves out. */
  readonly reportLeft?: boolean;
  /** Include these instead of the pool's, in this order; if the runtime refuses one, the block fails. */
  readonly transactions?: readonly Uint8Array[];
};

export type SealResult =
  | {
      readonly ok: true;
      readonly hash: BlockHash;
      readonly number: number;
      readonly included: number;
      readonly sizeBytes: number;
      /**
       * The trie nodes and hashed values read while building the block, each once; empty if not requested.
       */
      readonly witness: readonly Uint8Array[];
      /** Transactions that were ready before and still are; empty if not requested. */
      readonly left: readonly Left[];
    }
  | {
      readonly ok: false;
      readonly code: ErrorCode | 'EmptyPool';
      readonly message: string;
      /** The block that was built but not accepted by the chain. */
      readonly refused?: { readonly hash: BlockHash; readonly header: Header };
    };

/** Builds, seals and imports blocks, one at a time. */
export type Author = {
  seal(options: SealOptions): Promise<SealResult>;
  /**
   * Applies an extrinsic in a separate block that is dropped; `signatures` are those known to be valid, by
   * default the node's own. `withHooks`: whether the rest of the block is reported, too. Throws `UnknownBlock`, `NoClaimableKey`, `RuntimeTrap`, `OutOfFuel`,
   * `InherentFailed`.
   */
  dryRun(
    parent: BlockHash,
    extrinsic: Uint8Array,
    options?: { readonly signatures?: SignatureCache; readonly withHooks?: boolean },
  ): ReturnType<typeof dryRunExtrinsic>;
  /**
   * Builds an empty block on this one and drops it, so that all is read that it needs. Returns its changes. Throws as `dryRun`
   * does.
   */
  foresee(parent: BlockHash): Promise<Proposal<GivenOrOfPool>['execution']>;
  /** A claim on the block after one that need not be in the chain; its slot remains available. Throws `NoClaimableKey`. */
  claimAfter(parent: Omit<ClaimInput, 'slot' | 'isTrial'>): Promise<Claim>;
  engineAt(hash: BlockHash): Promise<SlotEngine['name']>;
  slotMs(): Promise<number | null>;
  /**
   * Refuses blocks and jobs: a block of its own or a move of the head would end an import that comes in several
   * requests. Holds are independent of each other. Returns a function that ends this one after `ms`.
   */
  hold(): EndHold;
  /** How long they are still refused, in ms. */
  heldMs(): number;
  /**
   * Runs a job while no block is being built or imported. The job is queued, and the next block waits for it.
   */
  between<T>(job: () => Promise<T>): Promise<T>;
  /** Resolves when no block is being built. */
  idle(): Promise<unknown>;
};

export type AuthorDeps = {
  readonly chain: Chain;
  readonly pool: Pick<Pool, 'ready' | 'readyCount' | 'remove' | 'drop'>;
  readonly crypto: Crypto;
  readonly signatures: SignatureCache;
  readonly selectEngine: (runtime: Runtime) => SlotEngine;
  /**
   * Resolves when the pool has processed every block announced so far. Otherwise included transactions would
   * be offered again.
   */
  readonly settled: () => Promise<void>;
  readonly finality: Pick<Finality, 'mode'>;
  readonly rule: Pick<NetworkRule, 'isOn'>;
  /** The wall clock, in ms since 1970. */
  readonly wallMs: () => number;
  readonly executor: Pick<Executor, 'note'>;
  /** What a block may take (`FuelBudget`). */
  readonly fuel: FuelBudget;
  /** Whether reads are slow, so that those of a whole block are found by a trial and done together. */
  readonly predictsReads: boolean;
};

const sealBlock = (crypto: Crypto, block: Block, claim: Claim): Block => {
  const seal = claim.seal(crypto.blake2b256(encodeHeader(block.header)));
  if (seal === null) return block;
  const header: Header = { ...block.header, digest: [...block.header.digest, seal] };
  return { header, extrinsics: block.extrinsics };
};

/** The message is the SDK's. */
const emptyPool: SealResult = {
  ok: false,
  code: 'EmptyPool',
  message: 'Transaction pool is empty, set create_empty to true, if you want to create empty blocks',
};

const failure = (error: unknown): SealResult => {
  if (error instanceof NodeError) return { ok: false, code: error.code, message: error.message };
  throw error;
};

const loadParent = async (chain: Chain, hash: BlockHash) => {
  const header = await chain.loadHeader(hash);
  if (header === null) throw new NodeError('UnknownBlock', `Header was not found in the database: ${hash}`);
  const runtime = await chain.runtimeAt(hash, 'onchain');
  const claiming = await chain.runtimeAt(hash);
  const backend = await chain.withState(hash, (state) => state);
  return { hash: blockHashToBytes(hash), header, backend, runtime, claiming };
};

type Parent = Awaited<ReturnType<typeof loadParent>>;

/** How the block reads its parent's state: the proof is recorded if the runtime or the caller asks for it. */
const openState = async (chain: Chain, { hash, runtime, backend }: Parent, claim: Claim, prove = false) => {
  const isRecorded = prove || recordsProofSize(runtime);
  if (!isRecorded) return { openOverlay: () => createOverlay(backend), witness: () => [] };
  return chain.record(runtime, { parentHash: hash, digest: claim.digest });
};

const claimFor = async (deps: AuthorDeps, input: ClaimInput, pace: Pace): Promise<Claim> => {
  const engine = deps.selectEngine(input.runtime);
  const claim = await engine.claim(input, { run: deps.chain.run, pace });
  if (claim !== null) return claim;
  const why = `No key of the keystore may author block #${input.parentHeader.number + 1} (${engine.name})`;
  throw new NodeError('NoClaimableKey', why);
};

/** Other nodes refuse a block of the future, whatever this node's chain time is. */
const refuseAhead = ({ timestampMs }: Claim, wallMs: number): void => {
  if (timestampMs <= BigInt(Math.ceil(wallMs))) return;
  const due = new Date(Number(timestampMs)).toISOString();
  throw new NodeError(
    'FutureBlock',
    `In a network no block is due before ${due.slice(0, 10)} ${due.slice(11, 19)} UTC`,
  );
};

const claimOn = async (
  deps: AuthorDeps,
  { hash, header, backend, claiming }: Parent,
  slot: 'next' | 'wall',
  pace: Pace,
  isTrial = false,
): Promise<Claim> => {
  const input = { parentHash: hash, parentHeader: header, backend, runtime: claiming, slot, isTrial };
  // By a trial, so that the slot remains available for the time when it is due.
  if (!isTrial && slot === 'next' && deps.rule.isOn())
    refuseAhead(await claimFor(deps, { ...input, isTrial: true }, pace), deps.wallMs());
  return claimFor(deps, input, pace);
};

type Built = {
  readonly block: Block;
  readonly proposal: Proposal<GivenOrOfPool>;
  readonly witness: readonly Uint8Array[];
};

const buildBlock = async (
  deps: AuthorDeps,
  pace: Pace,
  on: {
    readonly hash: BlockHash;
    readonly slot: 'next' | 'wall';
    readonly prove: boolean;
    readonly transactions: readonly Uint8Array[] | undefined;
    /** Whether its slot remains available. */
    readonly isTrial?: boolean;
  },
  candidates: Candidates<GivenOrOfPool>,
): Promise<Built> => {
  const parent = await loadParent(deps.chain, on.hash);
  const claim = await claimOn(deps, parent, on.slot, pace, on.isTrial);
  const { openOverlay, witness } = await openState(deps.chain, parent, claim, on.prove);
  const run = runPredicting(deps, parent, claim, on.transactions ?? null);
  const proposing = { ...deps, pace, run };
  const built = await proposeBlock(proposing, { ...parent, openOverlay }, claim, candidates);
  const block = sealBlock(deps.crypto, built.block, claim);
  return { block, proposal: built, witness: on.prove ? witness() : [] };
};

const sealNow = async (
  deps: AuthorDeps,
  dropUnread: ReturnType<typeof createUnread>,
  request: SealOptions,
): Promise<SealResult> => {
  const { chain, pool, finality } = deps;
  await deps.settled();
  if (!request.createEmpty && request.transactions === undefined && pool.readyCount() === 0) return emptyPool;
  const best = chain.best().hash;
  const parent = request.parent ?? best;
  const pace = startPace();
  const began = performance.now();
  const slot = request.wall === true ? 'wall' : 'next';
  const { transactions } = request;
  const candidates = transactions === undefined ? pool.ready() : given(transactions);
  const reportLeft = request.reportLeft === true && transactions === undefined;
  const before = reportLeft ? [...pool.ready()].map((one) => one.hash) : [];
  const { block, proposal, witness } = await buildBlock(
    deps,
    pace,
    { hash: parent, slot, prove: request.prove ?? false, transactions },
    candidates as Candidates<GivenOrOfPool>,
  );
  if (transactions !== undefined && proposal.included.length < transactions.length)
    return refusedGiven(transactions, proposal);
  const invalid = refusedOnBest(proposal, parent === best);
  if (invalid.length > 0) pool.remove(invalid, true);
  dropUnread(proposal, block.header.number);
  const finalize = request.finalize || (finality.mode().kind === 'instant' && parent === best);
  await pace.pause();
  const buildMs = performance.now() - began;
  const own = { execution: proposal.execution, finalize, buildMs };
  const imported = await chain.import(block, { own });
  if (!imported.ok)
    return { ...imported, refused: { hash: hashHeader(deps.crypto, block.header), header: block.header } };
  const { hash, number } = imported;
  const sizeBytes = blockLength(block);
  // A client that queries the pool after the response must not find what the block included.
  await deps.settled();
  const left = listLeft(before, reportLeft ? pool.ready() : [], proposal);
  return { ok: true, hash, number, included: proposal.included.length, sizeBytes, witness, left };
};

export const createAuthor = (deps: AuthorDeps): Author => {
  const { chain } = deps;
  const queue = createQueue(maxSealJobs);
  const dropUnread = createUnread(deps);
  const { hold, heldMs } = createHolds(() => performance.now());
  const unlessHeld = async <T>(job: () => Promise<T>): Promise<T> => {
    if (heldMs() > 0)
      throw new NodeError('Unsupported', 'Blocks are being imported. Try again when the import has ended');
    return job();
  };
  const between: Author['between'] = (job) => queue.run(() => unlessHeld(job));
  return {
    seal: (request) => between(() => sealNow(deps, dropUnread, request)).catch(failure),
    hold,
    heldMs,
    dryRun: async (hash, extrinsic, { signatures = deps.signatures, withHooks = false } = {}) => {
      const parent = await loadParent(chain, hash);
      const claim = await claimOn(deps, parent, 'next', startPace(), true);
      const { openOverlay } = await openState(chain, parent, claim);
      const run = runPredicting(deps, parent, claim, [extrinsic]);
      const own = { run, signatures, fuel: deps.fuel };
      return dryRunExtrinsic(own, { ...parent, openOverlay }, claim, extrinsic, withHooks);
    },
    foresee: async (hash) => {
      const on = { hash, slot: 'next', prove: false, transactions: [], isTrial: true } as const;
      return (await buildBlock(deps, startPace(), on, given([]))).proposal.execution;
    },
    between,
    idle: queue.idle,
    claimAfter: (parent) => claimFor(deps, { ...parent, slot: 'next', isTrial: true }, startPace()),
    engineAt: async (hash) => deps.selectEngine(await chain.runtimeAt(hash)).name,
    slotMs: async () => {
      const { hash } = chain.best();
      const runtime = await chain.runtimeAt(hash);
      return chain.withState(hash, (backend) => deps.selectEngine(runtime).slotMs({ backend, runtime }));
    },
  };
};
