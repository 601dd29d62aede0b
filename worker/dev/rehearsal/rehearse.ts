import { NodeError } from '../../../src/protocol/errors.ts';
import type {
  RehearsalOptions,
  RehearsalReport,
  RehearsedBlock,
  RehearsedWeight,
  UpgradeChecks,
} from '../../../src/protocol/rehearsal.ts';
import type { Author } from '../../author/author.ts';
import type { Chain } from '../../chain/chain.ts';
import { codeKey } from '../../chain/genesis/genesis.ts';
import { stateVersion } from '../../chain/hashes.ts';
import { recordsProofSize } from '../../chain/proofs.ts';
import { type BlockHash, blockHashToBytes } from '../../codec/identity.ts';
import type { Crypto } from '../../crypto/crypto.ts';
import type { Executor, Runtime } from '../../executor/executor.ts';
import type { Backend } from '../../state/backend.ts';
import { mainChanges } from '../../state/changes.ts';
import { loadMeta } from '../metadata.ts';
import { buildBlocks } from './blocks.ts';
import { hasChecks, runChecks } from './checks.ts';
import { cursorItems } from './cursor.ts';
import { maxBlockWeight } from './limits.ts';
import { measureMigration, type On } from './migration.ts';
import { loadNewCode } from './new-code.ts';
import type { Zstd } from './proof-cost.ts';
import type { OnReads } from './read-counter.ts';
import { type RehearsalSteps, startSteps, type Watching } from './steps.ts';

export type RehearsalDeps = {
  readonly chain: Chain;
  readonly author: Pick<Author, 'claimAfter'>;
  readonly executor: Pick<Executor, 'load'>;
  readonly crypto: Crypto;
  readonly zstd: Zstd;
  readonly onReads?: OnReads | undefined;
};

type Report = Omit<RehearsalReport, 'requests' | 'bytes'>;

const checksFor = (runtime: Runtime, chosen: UpgradeChecks | undefined): UpgradeChecks | null => {
  if (hasChecks(runtime)) return chosen ?? 'pre-and-post';
  if (chosen === undefined || chosen === 'none') return null;
  throw new NodeError(
    'MissingApi',
    `The runtime has no checks to run: build it with the feature try-runtime, or choose the checks none`,
  );
};

const overText = (what: string, { used, limit }: { used: unknown; limit: unknown }): string =>
  `${what}: ${used}, and the limit is ${limit}.`;

const weightProblems = (whose: string, weight: RehearsedWeight | null): string[] => [
  ...(weight?.refTime.isOver
    ? [overText(`${whose} weighs more time than a block may (ref_time)`, weight.refTime)]
    : []),
  ...(weight?.proofSize.isOver
    ? [overText(`${whose} declares a larger proof than a block may have (proof_size)`, weight.proofSize)]
    : []),
];

const proofProblems = (whose: string, { isOver, zstd, compact, limit }: RehearsedBlock['proof']): string[] =>
  isOver
    ? [
        overText(`${whose} needs a larger proof than a candidate may have, in bytes`, {
          used: zstd ?? compact,
          limit,
        }),
      ]
    : [];

/** Of blocks that are all too heavy for the same reason, the first one is named. */
const blockProblems = (blocks: readonly RehearsedBlock[] | null): string[] => {
  const isHeavy = ({ weight }: RehearsedBlock): boolean =>
    weight !== null && (weight.refTime.isOver || weight.proofSize.isOver);
  const first = blocks?.find(isHeavy);
  return first === undefined ? [] : weightProblems(`Block #${first.number}`, first.weight);
};

const problemsOf = ({
  checks,
  migration,
  blocks,
}: Pick<Report, 'checks' | 'migration' | 'blocks'>): string[] => [
  ...(checks?.failure == null
    ? []
    : [`The upgrade fails its checks (${checks.selected}): ${checks.failure}.`]),
  ...weightProblems('The migration', checks?.weight ?? migration?.weight ?? null),
  ...(migration === null ? [] : proofProblems('The block of the upgrade', migration.proof)),
  ...blockProblems(blocks),
];

const metadataOf = (runtime: Runtime, backend: Backend, { run }: Pick<Chain, 'run'>, hash: BlockHash) =>
  loadMeta(
    { runtimeAt: async () => runtime, withState: async (_hash, read) => run(() => read(backend)) },
    hash,
  );

const parachainNote =
  'The chain is a parachain, whose blocks need data of its relay chain: the blocks after the upgrade, and its multi-block migrations, are not rehearsed.';

/** The state of a block with the new code in place of its own, as after the block in which it is applied. */
const openUpgraded = async (
  { chain }: RehearsalDeps,
  hash: BlockHash,
  before: Runtime,
  code: Uint8Array,
): Promise<On> => {
  const header = await chain.loadHeader(hash);
  if (header === null) throw new NodeError('UnknownBlock', `Header was not found in the database: ${hash}`);
  const state = await chain.withState(hash, (backend) => backend);
  const { backend } = await chain.run(() =>
    state.commit(mainChanges([[codeKey, code]]), stateVersion(before)),
  );
  return { hash: blockHashToBytes(hash), header, backend };
};

type Prepared = {
  readonly hash: BlockHash;
  readonly code: Uint8Array;
  readonly before: Runtime;
  readonly runtime: Runtime;
  readonly selected: UpgradeChecks | null;
  readonly maxBlocks: number;
};

const report = async (deps: RehearsalDeps, prepared: Prepared, steps: RehearsalSteps): Promise<Report> => {
  const { chain, author } = deps;
  const { hash, code, before, runtime, selected, maxBlocks } = prepared;
  const on = await openUpgraded(deps, hash, before, code);
  const metas = {
    old: await loadMeta(chain, hash),
    new: await metadataOf(runtime, on.backend, steps, hash),
  };
  const parts = {
    ...deps,
    steps,
    runtime,
    metas,
    maxWeight: maxBlockWeight(metas.new),
    cursors: cursorItems(metas.new),
  };
  const checks = selected === null ? null : await runChecks(steps, runtime, on.backend, selected);
  const parent = { parentHash: on.hash, parentHeader: on.header, backend: on.backend, runtime };
  const opened = await measureMigration(parts, on, await author.claimAfter(parent));
  const fails = 'failure' in opened;
  const isParachain = recordsProofSize(runtime);
  const built = fails || isParachain ? null : await buildBlocks(parts, on, maxBlocks);
  const migration = fails ? null : opened.measured;
  const blocks = built?.blocks ?? null;
  const stops = fails
    ? [
        `on_runtime_upgrade fails, and the chain would stop before block #${on.header.number + 1}: ${opened.failure}.`,
      ]
    : [];
  return {
    block: { number: on.header.number, hash },
    specName: runtime.version.specName,
    specVersion: { before: before.version.specVersion, after: runtime.version.specVersion },
    checks,
    migration,
    multiBlock: built?.multiBlock ?? null,
    blocks,
    problems: [...problemsOf({ checks, migration, blocks }), ...stops, ...(built?.problems ?? [])],
    notes: isParachain && !fails ? [parachainNote] : [],
  };
};

/**
 * Loads the runtime of an upgrade, and returns the function that rehearses it on the state of a block: with the checks that
 * the runtime has, then `on_runtime_upgrade` in the next block, its multi-block migrations to their end, and some blocks after
 * them. Nothing is stored, and the chain does not change. What fails is a problem of the report; throws `BadCode` for a
 * runtime that cannot be the next one, `MissingApi` for checks that it does not have, and `UnknownBlock`. The function rejects
 * with `Aborted` and the errors of endpoints.
 */
export const prepareRehearsal = async (
  deps: RehearsalDeps,
  hash: BlockHash,
  code: Uint8Array,
  { checks, maxBlocks }: RehearsalOptions,
): Promise<(watching: Watching) => Promise<Report>> => {
  const { chain } = deps;
  const before = await chain.runtimeAt(hash, 'onchain');
  const runtime = loadNewCode(deps, code, before.version);
  const prepared = { hash, code, before, runtime, selected: checksFor(runtime, checks), maxBlocks };
  return (watching) => report(deps, prepared, startSteps(chain, { ...watching, onReads: deps.onReads }));
};

/** Prepares a rehearsal and runs it. */
export const rehearseUpgrade = async (...request: Parameters<typeof prepareRehearsal>): Promise<Report> =>
  (await prepareRehearsal(...request))({});
