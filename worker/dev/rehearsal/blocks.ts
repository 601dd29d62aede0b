import { NodeError } from '../../../src/protocol/errors.ts';
import type { RehearsalReport, RehearsedBlock } from '../../../src/protocol/rehearsal.ts';
import type { Author } from '../../author/author.ts';
import { tryBuild } from '../../author/build-prediction.ts';
import { createInherentData } from '../../author/inherents.ts';
import { openBlock, openingHeader } from '../../author/proposer.ts';
import { equalBytes } from '../../bytes/bytes.ts';
import { bytesToHex } from '../../bytes/hex.ts';
import { codeKey } from '../../chain/genesis/genesis.ts';
import { hashHeader, stateVersion } from '../../chain/hashes.ts';
import { blockHashToBytes } from '../../codec/identity.ts';
import { finalizeBlock } from '../../executor/runtime-api.ts';
import { createSignatureCache } from '../../executor/signature-cache.ts';
import type { Backend } from '../../state/backend.ts';
import { type CursorItem, failedMigrations, type MigrationState, migrationState } from './cursor.ts';
import { againstLimit, blockWeight } from './limits.ts';
import type { MigrationDeps, On } from './migration.ts';
import { costOf, openRecorded } from './proof-cost.ts';
import { runReadingAhead } from './read-ahead.ts';
import { callOptions, inOneLine, timed, trialOptions } from './runs.ts';

export type BlockDeps = MigrationDeps & {
  readonly author: Pick<Author, 'claimAfter'>;
  readonly cursors: readonly CursorItem[];
};

/** Blocks that are built after the last migration. */
const laterBlocks = 3;

type Built = {
  readonly on: On;
  readonly block: RehearsedBlock;
  readonly migration: MigrationState;
  readonly failed: readonly string[];
};

const isSameCode = (before: Backend, after: Backend): boolean => {
  const [old, next] = [before.valueHash(codeKey), after.valueHash(codeKey)];
  return old !== null && next !== null && equalBytes(old, next);
};

/** An empty block with its inherents. Throws `NoClaimableKey`, `InherentFailed`, `RuntimeTrap`, `OutOfFuel`, `BadCode`. */
const buildBlock = async (deps: BlockDeps, on: On): Promise<Built> => {
  const { author, runtime, crypto, cursors, metas, steps } = deps;
  const { hash: parentHash, header: parentHeader, backend } = on;
  await steps.begin('blocks', parentHeader.number + 1);
  const claim = await author.claimAfter({ parentHash, parentHeader, backend, runtime });
  const trial = {
    runtime,
    header: openingHeader(on, claim),
    inherentData: createInherentData(claim, parentHeader, runtime),
    transactions: [],
    options: trialOptions(),
  };
  const runs = timed(runReadingAhead(steps, backend, (state) => tryBuild(trial, state)));
  const recorded = openRecorded(steps.reads, backend, false);
  const parent = { ...on, runtime, openOverlay: () => recorded.overlay };
  const opening = { run: runs.run, signatures: createSignatureCache(), fuel: 'sealed' } as const;
  const { overlay } = await openBlock(opening, parent, claim);
  const header = await runs.run(() => finalizeBlock({ runtime, overlay, options: callOptions() }));
  const committed = await runs.run(() => overlay.commit(stateVersion(runtime)));
  const cost = costOf(deps, recorded, { root: backend.root, ms: runs.ms(), hasLimit: false });
  steps.seen(cost.keysRead);
  const state = committed.backend;
  const { isSame, weight, migration, failed } = await steps.run(() => ({
    isSame: isSameCode(backend, state),
    weight: blockWeight(state),
    migration: migrationState(cursors, state),
    failed: failedMigrations(metas.new, cursors, state),
  }));
  // The blocks after it would run other code than the one that is rehearsed.
  if (!isSame)
    throw new NodeError(
      'BadCode',
      'replaces the code of the chain (:code) with another one: rehearse that one',
    );
  const block: RehearsedBlock = {
    ...cost,
    number: header.number,
    stateRoot: bytesToHex(header.stateRoot),
    isMigrating: migration.kind !== 'none',
    weight: weight === null ? null : againstLimit(weight, deps.maxWeight),
  };
  const hash = blockHashToBytes(hashHeader(crypto, header));
  return { on: { hash, header, backend: state }, block, migration, failed };
};

export type BuiltBlocks = Pick<RehearsalReport, 'multiBlock'> & {
  readonly blocks: readonly RehearsedBlock[];
  readonly problems: readonly string[];
};

const countText = (blocks: number): string => `${blocks} ${blocks === 1 ? 'block' : 'blocks'}`;

/** A block that cannot be built is a result. Rethrows errors that are not the runtime's. */
const blockFailure = (error: unknown, number: number): string => {
  if (error instanceof NodeError && error.code === 'BadCode') return `Block #${number} ${error.message}.`;
  const isOfRuntime =
    error instanceof NodeError &&
    ['RuntimeTrap', 'OutOfFuel', 'InherentFailed', 'MissingApi', 'NoClaimableKey'].includes(error.code);
  if (!isOfRuntime) throw error;
  return `Block #${number} cannot be built on the new code: ${inOneLine(error.message)}.`;
};

/** Follows the multi-block migrations from the first block on. Returns the last block. */
const followMigrations = async (
  deps: BlockDeps,
  first: Built,
  maxBlocks: number,
  keep: (built: Built) => void,
): Promise<Built & Pick<BuiltBlocks, 'multiBlock' | 'problems'>> => {
  let last = first;
  let blocks = 0;
  const { pallet } = first.migration;
  const failed = [...first.failed];
  while (last.migration.kind === 'active' && blocks < maxBlocks) {
    last = await buildBlock(deps, last.on);
    keep(last);
    failed.push(...last.failed);
    blocks += 1;
  }
  const name = pallet ?? deps.cursors[0]?.pallet ?? '';
  const isStuck = last.migration.kind === 'stuck';
  const outcome =
    isStuck || failed.length > 0 ? 'failed' : last.migration.kind === 'active' ? 'unfinished' : 'completed';
  const at = `block #${last.block.number}`;
  const { migration: index } = last.migration;
  const which = index === null ? '' : ` Migration ${index} is at work.`;
  const problems = {
    completed: [],
    failed: isStuck
      ? [
          `A multi-block migration is stuck at ${at} (${name}.Cursor): from there on, the chain takes no transactions.`,
        ]
      : [`A multi-block migration fails by ${at}: the runtime reports ${failed[0]}.`],
    unfinished: [
      `The multi-block migrations do not end within ${countText(maxBlocks)}.${which} If they need more, raise the number of blocks (max blocks).`,
    ],
  }[outcome];
  const isNone = pallet === null && outcome === 'completed';
  return { ...last, multiBlock: isNone ? null : { pallet: name, blocks, outcome }, problems };
};

/**
 * Builds the block of the upgrade, those of its multi-block migrations to their end, and some more. Each is built on the one
 * before; none is part of the chain.
 */
export const buildBlocks = async (deps: BlockDeps, on: On, maxBlocks: number): Promise<BuiltBlocks> => {
  const blocks: RehearsedBlock[] = [];
  const keep = ({ block }: Built): void => void blocks.push(block);
  let multiBlock: BuiltBlocks['multiBlock'] = null;
  let problems: readonly string[] = [];
  let parent = on;
  try {
    const first = await buildBlock(deps, on);
    keep(first);
    const followed = await followMigrations(deps, first, maxBlocks, keep);
    ({ multiBlock, problems } = followed);
    parent = followed.on;
    if (problems.length > 0) return { blocks, multiBlock, problems };
    for (let later = 0; later < laterBlocks; later++) {
      const built = await buildBlock(deps, parent);
      keep(built);
      parent = built.on;
    }
    return { blocks, multiBlock, problems };
  } catch (error) {
    return {
      blocks,
      multiBlock,
      problems: [...problems, blockFailure(error, on.header.number + 1 + blocks.length)],
    };
  }
};
