import { NodeError } from '../../../src/protocol/errors.ts';
import type { RepairReport } from '../../../src/protocol/node.ts';
import { bytesToKey, bytesToText, equalBytes, keyToBytes } from '../../bytes/bytes.ts';
import { encodeBody } from '../../codec/block.ts';
import { type BlockHash, blockHashToBytes } from '../../codec/identity.ts';
import type { Crypto } from '../../crypto/crypto.ts';
import { type Engine, openRecord } from '../../db/checked.ts';
import { type Batch, type BatchBuilder, createBatch } from '../../db/database.ts';
import { encodeVersion, schemaKey } from '../../db/seal-stores.ts';
import { schemaVersion } from '../../db/stores.ts';
import { listNodes } from '../../trie/node-pack.ts';
import type { Genesis } from '../genesis/genesis.ts';
import { hashHeader } from '../hashes.ts';
import { putOverrides } from '../overrides.ts';
import { encodeHeaderRecord, encodeNumberRecord, numberKey } from '../records.ts';
import { encodePruning, pruningKey, settlementKey } from '../states/pruning-records.ts';
import { deleteBlocks, putChainRecord } from '../store.ts';
import type { BlockRef } from '../tree.ts';
import { createStateCheck, type StateCheck } from './check-state.ts';
import { type Survey, type SurveyedBlock, surveyDatabase } from './survey.ts';

export type RepairDeps = {
  readonly crypto: Pick<Crypto, 'blake2b256'>;
  /** The raw database, unverified. */
  readonly engine: Engine;
  /** Block 0 from the specification. Lost parts of it can be rewritten. */
  readonly genesis: Genesis;
  readonly identity: Uint8Array;
  /** The blocks that a snapshot needs. */
  readonly blocksOf: (snapshot: Uint8Array) => readonly BlockRef[];
  /** Whether a record of the auxiliary store stays valid when the head moves. */
  readonly staysTrue: (key: Uint8Array) => boolean;
  readonly onProgress: (nodes: number) => void;
};

/** The repair, to be written in one transaction. Values are in stored form without their checksums. */
export type RepairPlan = {
  readonly batch: Batch;
  readonly report: Omit<RepairReport, 'outcome' | 'keptAt'>;
};

const hopeless = (why: string): NodeError =>
  new NodeError(
    'StorageBroken',
    `The database cannot be repaired: ${why}. Nothing was changed. Restore the chain from a copy or an export, or delete it and start again.`,
  );

/** The hash of block 0. A lost header or body is restored if the specification still yields it. */
const healGenesis = ({ crypto, genesis }: RepairDeps, survey: Survey, draft: BatchBuilder): BlockHash => {
  const made = hashHeader(crypto, genesis.header);
  const hash = survey.record?.genesis ?? survey.numbers.get(0)?.hash ?? made;
  const isThere = survey.blocks.has(hash) && survey.bodies.has(hash);
  if (isThere) return hash;
  if (hash !== made) throw hopeless('block 0 is lost and the specification gives another one');
  const { stateRoot } = genesis.header;
  const meta = { weight: 0, isOwn: false };
  survey.blocks.set(hash, { hash, number: 0, parent: hash, stateRoot, ...meta });
  draft.puts.push(['headers', blockHashToBytes(hash), encodeHeaderRecord(genesis.header, meta)]);
  draft.puts.push(['bodies', blockHashToBytes(hash), encodeBody([])]);
  return hash;
};

/** The blocks that are intact down to block 0, header and body. */
const findRooted = ({ blocks, bodies }: Survey, genesis: BlockHash): ReadonlySet<BlockHash> => {
  const rooted = new Set<BlockHash>([genesis]);
  for (const { hash, number, parent } of [...blocks.values()].sort((a, b) => a.number - b.number))
    if (bodies.has(hash) && rooted.has(parent) && blocks.get(parent)?.number === number - 1) rooted.add(hash);
  return rooted;
};

/** The highest block of the best chain that is intact down to block 0. */
const findTop = (survey: Survey, rooted: ReadonlySet<BlockHash>, genesis: BlockHash): BlockHash => {
  const { record, numbers, blocks } = survey;
  if (record !== null && rooted.has(record.best.hash)) return record.best.hash;
  const known = [...numbers].sort(([a], [b]) => b - a);
  for (const [number, { hash }] of known)
    if (rooted.has(hash) && number <= (record?.best.number ?? number)) return hash;
  // Even the list of the best chain is lost.
  let top = genesis;
  for (const hash of rooted) if ((blocks.get(hash)?.number ?? 0) > (blocks.get(top)?.number ?? 0)) top = hash;
  return top;
};

/** The path from a block down to block 0. */
const pathDown = ({ blocks }: Survey, top: BlockHash): SurveyedBlock[] => {
  const path: SurveyedBlock[] = [];
  for (let block = blocks.get(top); block !== undefined; ) {
    path.push(block);
    block = block.number === 0 ? undefined : blocks.get(block.parent);
  }
  return path;
};

/** The first block of a path with an intact state. */
const findWhole = async (
  { overrides }: Survey,
  path: readonly SurveyedBlock[],
  { isWhole }: StateCheck,
): Promise<SurveyedBlock | null> => {
  for (const block of path)
    if (await isWhole(overrides?.get(block.hash)?.stateRoot ?? block.stateRoot)) return block;
  return null;
};

type Goal = {
  readonly genesis: BlockHash;
  readonly head: SurveyedBlock;
  readonly finalized: SurveyedBlock;
  /** The best chain, descending. */
  readonly path: readonly SurveyedBlock[];
  readonly rooted: ReadonlySet<BlockHash>;
};

const findGoal = async (survey: Survey, genesis: BlockHash, check: StateCheck): Promise<Goal> => {
  const rooted = findRooted(survey, genesis);
  const candidates = pathDown(survey, findTop(survey, rooted, genesis));
  const head = await findWhole(survey, candidates, check);
  if (head === null) throw hopeless('the state of no block is whole');
  const path = pathDown(survey, head.hash);
  // If the finalized block is unknown, going back further than the head is no safer.
  const floor = survey.record?.finalized.number ?? head.number;
  const finalized = await findWhole(
    survey,
    path.filter(({ number }) => number <= floor),
    check,
  );
  return { genesis, head, finalized: finalized ?? head, path, rooted };
};

/** Forks stay only if nothing of the best chain is lost. */
const keepsBest = ({ record }: Survey, { head }: Goal): boolean => record?.best.hash === head.hash;

const draftNumbers = (survey: Survey, { head, path }: Goal, draft: BatchBuilder): void => {
  for (const number of survey.numbers.keys())
    if (number > head.number) draft.deletes.push(['numbers', numberKey(number)]);
  for (const block of path) {
    const { hash, meta = null } = survey.numbers.get(block.number) ?? {};
    if (hash !== block.hash || meta === null)
      draft.puts.push(['numbers', numberKey(block.number), encodeNumberRecord(block)]);
  }
};

/** Deletes blocks without a path to block 0, and blocks above the new head. Returns the remaining ones. */
const draftBlocks = (survey: Survey, goal: Goal, draft: BatchBuilder): ReadonlySet<BlockHash> => {
  const stays = ({ hash, number }: SurveyedBlock): boolean =>
    goal.rooted.has(hash) && (number <= goal.head.number || keepsBest(survey, goal));
  const kept = new Set([...survey.blocks.values()].filter(stays).map(({ hash }) => hash));
  const known = new Set([...survey.blocks.keys(), ...survey.bodies, ...survey.proofs]);
  deleteBlocks(
    draft,
    [...known].filter((hash) => !kept.has(hash)),
  );
  return kept;
};

const findLeaves = (survey: Survey, goal: Goal): BlockHash[] => {
  const { head, finalized } = goal;
  const leadsUp = (leaf: BlockHash): boolean =>
    goal.rooted.has(leaf) && pathDown(survey, leaf).some(({ hash }) => hash === finalized.hash);
  const others = keepsBest(survey, goal) ? (survey.record?.leaves ?? []) : [];
  return [...new Set([...others.filter(leadsUp), head.hash])];
};

const isSame = (a: readonly BlockHash[], b: readonly BlockHash[]): boolean =>
  a.length === b.length && a.every((hash) => b.includes(hash));

const draftRecord = (deps: RepairDeps, survey: Survey, goal: Goal, draft: BatchBuilder): void => {
  const { head, finalized, genesis } = goal;
  const { record } = survey;
  const leaves = findLeaves(survey, goal);
  const stays = keepsBest(survey, goal) && record?.finalized.hash === finalized.hash;
  // An engine's records about later blocks. It reads the state for what is missing.
  if (!stays)
    for (const key of survey.auxiliary) if (!deps.staysTrue(key)) draft.deletes.push(['auxiliary', key]);
  if (stays && isSame(leaves, record.leaves)) return;
  putChainRecord(draft, { genesis, identity: deps.identity }, { best: head, finalized, leaves });
};

const draftStates = (
  survey: Survey,
  kept: ReadonlySet<BlockHash>,
  draft: BatchBuilder,
): readonly number[] | null => {
  const { overrides, lost } = survey;
  // If another record of the store is damaged, a list that was never written is indistinguishable from a lost
  // one.
  if (overrides === null) return lost.meta === undefined ? [] : null;
  const gone = [...overrides.values()].filter(({ hash }) => !kept.has(hash));
  if (gone.length > 0) putOverrides(draft, new Map([...overrides].filter(([hash]) => kept.has(hash))));
  return gone.map(({ number }) => number);
};

const draftSnapshots = (
  { blocksOf }: RepairDeps,
  { snapshots }: Survey,
  kept: ReadonlySet<BlockHash>,
  draft: BatchBuilder,
): string[] => {
  const gone = snapshots.filter(([, value]) => blocksOf(value).some(({ hash }) => !kept.has(hash)));
  for (const [key] of gone) draft.deletes.push(['snapshots', key]);
  return gone.map(([key]) => bytesToText(key));
};

/** States below this block were discarded: they cannot be read, and the head cannot be moved there. */
const firstState = ({ pruning, settlement }: Survey, { finalized }: Goal): number => {
  // If the record is lost, only the states that were checked are known to exist.
  if (pruning === null) return finalized.number;
  return pruning.mode === 'archive-canonical' ? 0 : Math.max(pruning.base, settlement?.base ?? 0);
};

/** Pruning stops if the counts may be too low: nodes that a kept state needs would be deleted. */
const draftPruning = (survey: Survey, goal: Goal, draft: BatchBuilder): boolean => {
  const { pruning, settlement, hasNodeChanges, lost } = survey;
  if (pruning === null ? !hasNodeChanges : pruning.mode === 'archive') return false;
  const isDamaged = (['meta', 'journals', 'nodeCounts', 'nodeChanges', 'lostNodes'] as const).some(
    (store) => lost[store] !== undefined,
  );
  if (pruning !== null && !isDamaged && keepsBest(survey, goal)) return false;
  const through = Math.max(pruning?.through ?? 0, settlement?.through ?? 0, survey.lastJournal);
  const record = { mode: 'archive', base: firstState(survey, goal), through } as const;
  draft.puts.push(['meta', pruningKey, encodePruning(record)]);
  draft.deletes.push(['meta', settlementKey]);
  return true;
};

const lostRange = ({ record, numbers, blocks }: Survey, { head }: Goal): RepairReport['lostBlocks'] => {
  let to = record?.best.number ?? 0;
  if (record === null) {
    for (const number of numbers.keys()) to = Math.max(to, number);
    for (const { number } of blocks.values()) to = Math.max(to, number);
  }
  return to > head.number ? { from: head.number + 1, to } : null;
};

/**
 * Finds the highest block of the best chain with every block down to block 0 present and a complete state
 * (walked in full), and what must be written to move the chain there. Finality stays, or goes back to the
 * next intact block. Writes nothing. Throws `StorageBroken` if no block is left, `BadSpec` for another
 * chain's database.
 */
export const planRepair = async (deps: RepairDeps): Promise<RepairPlan> => {
  const { crypto, engine, genesis, onProgress } = deps;
  const survey = await surveyDatabase(engine);
  const { record } = survey;
  const isKnown = record === null || equalBytes(record.identity, deps.identity);
  if (!isKnown && record.genesis !== hashHeader(crypto, genesis.header))
    throw new NodeError('BadSpec', 'The database holds a chain made from another specification');
  const draft = createBatch();
  draft.deletes.push(...survey.damaged);
  const genesisHash = healGenesis(deps, survey, draft);
  const check = createStateCheck({
    blake2b256: crypto.blake2b256,
    load: async (hashes) => {
      const stored = await engine.getMany('nodes', hashes);
      return hashes.map((hash, at) => survey.journaled.get(bytesToKey(hash)) ?? stored[at] ?? null);
    },
    known: new Map(listNodes(genesis.nodes).map(([hash, bytes]) => [bytesToKey(hash), bytes])),
    onProgress,
  });
  const goal = await findGoal(survey, genesisHash, check);
  const kept = draftBlocks(survey, goal, draft);
  draftNumbers(survey, goal, draft);
  draftRecord(deps, survey, goal, draft);
  const lostStates = draftStates(survey, kept, draft);
  const lostSnapshots = draftSnapshots(deps, survey, kept, draft);
  const pruningStops = draftPruning(survey, goal, draft);
  for (const [key, bytes] of check.healed) draft.puts.push(['nodes', keyToBytes(key), bytes]);
  if (!survey.hasVersion) {
    const version = openRecord('meta', schemaKey, encodeVersion(schemaVersion));
    draft.puts.push(['meta', schemaKey, version]);
  }
  const { head, finalized } = goal;
  return {
    batch: draft,
    report: {
      head: { number: head.number, hash: head.hash },
      finalizedNumber: finalized.number,
      pruningStops,
      checkedStates: [...new Set([head.number, finalized.number])],
      lostBlocks: lostRange(survey, goal),
      lostStates,
      lostSnapshots,
      damaged: survey.lost,
      healedNodes: check.healed.size,
    },
  };
};
