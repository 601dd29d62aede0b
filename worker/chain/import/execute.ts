import { NodeError } from '../../../src/protocol/errors.ts';
import { equalBytes } from '../../bytes/bytes.ts';
import { encodeBlock } from '../../codec/block.ts';
import { splitSeals } from '../../codec/header.ts';
import type { BatchedSignatures, BatchSignatures } from '../../executor/batched-signatures.ts';
import { deferSignatures, type SignatureCache } from '../../executor/signature-cache.ts';
import { createOverlay } from '../../state/overlay.ts';
import { stateVersion } from '../hashes.ts';
import { type Proofs, recordsProofSize } from '../proofs.ts';
import { isUnavailable, type Refusal, refuse } from '../refusal.ts';
import type { TrieStore } from '../states/trie-store.ts';
import type { ExecutedBlock, Execution, VerifiedBlock } from '../steps.ts';
import type { ChainView } from '../view.ts';
import { predictBlockReads, predictCallReads } from './read-prediction.ts';

export type ExecuteDeps = {
  readonly store: TrieStore;
  readonly view: Pick<ChainView, 'backendAt'>;
  readonly proofs: Pick<Proofs, 'record'>;
  readonly signatures: SignatureCache;
  readonly batchSignatures: BatchSignatures;
  /** Test mode: re-executes our own blocks as if they came from another node. */
  readonly verifyOwnBlocks?: boolean;
};

type Executed = { readonly ok: true; readonly value: ExecutedBlock } | Refusal;

const compareRoot = (verified: VerifiedBlock, execution: Execution): Executed =>
  equalBytes(execution.backend.root, verified.block.header.stateRoot)
    ? { ok: true, value: { ...verified, step: 'executed', execution } }
    : refuse(
        'StateRootMismatch',
        `Block #${verified.block.header.number}: the state root does not match its execution`,
      );

/**
 * Null for a chain that records no proofs. Refused if earlier blocks of the bundle must be executed again to know
 * what they have read, and their states are gone or damaged.
 */
const recordBlock = async ({ proofs }: ExecuteDeps, { block, runtime }: VerifiedBlock) => {
  if (!recordsProofSize(runtime)) return null;
  try {
    return await proofs.record(runtime, block.header);
  } catch (error) {
    const isKnown = isUnavailable(error) || (error instanceof NodeError && error.code === 'BadBlock');
    if (!isKnown) throw error;
    return refuse(error.code, `Block #${block.header.number}: ${error.message}`);
  }
};

/** From how many extrinsics on it is worth to load the code for many signatures. */
const manyExtrinsics = 32;

/** `Core_execute_block` on the parent's state, with the seals removed (frame-executive, `execute_block`). */
const runBlock = async (
  deps: ExecuteDeps,
  verified: VerifiedBlock,
  batch: BatchedSignatures | null,
): Promise<Executed> => {
  const { block, parent, runtime } = verified;
  const input = encodeBlock({ header: splitSeals(block.header).unsealed, extrinsics: block.extrinsics });
  const on = { runtime, backend: await deps.view.backendAt(parent.hash) };
  const recording = await recordBlock(deps, verified);
  if (recording !== null && 'ok' in recording) return recording;
  const overlay = recording?.openOverlay() ?? createOverlay(on.backend);
  const options = {
    // Other nodes executed a sealed block within their time limit. An unsealed block has no such guarantee.
    fuel: verified.isSealed ? 'sealed' : 'import',
    context: 'import',
    verifiedSignatures: batch?.signatures ?? deps.signatures,
    knownRoot: verified.extrinsicsRoot,
  } as const;
  const left = deferSignatures(deps.signatures);
  const { predict, done } = predictCallReads(deps.store.readSets, {
    ...on,
    method: 'Core_execute_block',
    trialRun: (guesses) =>
      predictBlockReads(
        { ...on, block, input, options: { ...options, verifiedSignatures: left.signatures } },
        guesses,
      ),
  });
  const result = await deps.store.run(
    () => runtime.call(overlay, 'Core_execute_block', input, options),
    predict,
    left.verifyNext,
  );
  done(overlay);
  if (!result.ok && batch !== null) return runBlock(deps, verified, null);
  if (!result.ok) {
    const why = `Block #${block.header.number}: execution failed: ${result.trap}`;
    return refuse(result.kind === 'fuel' ? 'OutOfFuel' : 'BadBlock', why);
  }
  // A helper verifies while the root is computed.
  const areValid = batch?.areValid();
  // Nobody awaits it if the commit fails.
  areValid?.catch(() => undefined);
  const execution = await deps.store.run(() => overlay.commit(stateVersion(runtime)));
  if ((await areValid) === false) return runBlock(deps, verified, null);
  const compared = compareRoot(verified, execution);
  if (compared.ok) recording?.executed(verified.hash, execution.nodes);
  return compared;
};

/** Step 2: executes the block, or reuses the author's result. Compares the state root in both cases. */
export const executeBlock = async (
  deps: ExecuteDeps,
  verified: VerifiedBlock,
  own: Execution | null,
): Promise<Executed> => {
  const adopted = own && compareRoot(verified, own);
  if (adopted !== null && !(adopted.ok && deps.verifyOwnBlocks === true)) return adopted;
  const isLarge = verified.block.extrinsics.length >= manyExtrinsics;
  return runBlock(deps, verified, isLarge ? await deps.batchSignatures() : null);
};
