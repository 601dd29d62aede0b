import type { ErrorCode } from '../../src/protocol/errors.ts';
import { equalBytes } from '../bytes/bytes.ts';
import { type Block, encodeBlock } from '../codec/block.ts';
import { encodeHeader, type Header, splitSeals } from '../codec/header.ts';
import { type BlockHash, bytesToBlockHash } from '../codec/identity.ts';
import type { Crypto } from '../crypto/crypto.ts';
import type { CallResult, Runtime } from '../executor/executor.ts';
import type { SignatureCache } from '../executor/signature-cache.ts';
import type { Backend } from '../state/backend.ts';
import type { StorageChanges } from '../state/changes.ts';
import { createOverlay } from '../state/overlay.ts';
import type { NodeBatch } from '../trie/node-source.ts';
import { type KnownRoot, knowRoot } from '../trie/ordered-root.ts';
import type { NodeStore } from './node-store.ts';
import type { TreeBlock } from './tree.ts';

/** Why a block was not taken: an expected outcome, not an exception. */
export type Refusal = { readonly ok: false; readonly code: ErrorCode; readonly message: string };
export const refuse = (code: ErrorCode, message: string): Refusal => ({ ok: false, code, message });

/** How an import ended; a block that was known already is an `ok` too. */
export type ImportResult =
  | { readonly ok: true; readonly hash: BlockHash; readonly number: number; readonly isBest: boolean }
  | Refusal;

/** What running a block gave; the author hands it in, so that its own block is not run twice. */
export type Execution = {
  readonly backend: Backend;
  readonly nodes: NodeBatch;
  readonly changes: StorageChanges;
};

/** Step 1 done: what `verifyBlock` lists was checked, no more. Made only by `verifyBlock`. */
export type VerifiedBlock = {
  readonly step: 'verified';
  readonly hash: BlockHash;
  readonly block: Block;
  readonly parent: TreeBlock;
  readonly weight: number;
  readonly isOwn: boolean;
  /** Worked out on the way; the runtime asks for it again. Null for a block of our own. */
  readonly extrinsicsRoot: KnownRoot | null;
};

/** Step 2 done: the state root is what the header says. Made only by `executeBlock`. */
export type ExecutedBlock = Omit<VerifiedBlock, 'step' | 'extrinsicsRoot'> & {
  readonly step: 'executed';
  readonly execution: Execution;
};

/**
 * The consensus engine's part of verification, and whether the block counts for fork choice. Today neither the claim of a
 * slot nor the signature of a seal is verified (ARCHITECTURE, What an import checks). Declared here, provided by worker/consensus.
 */
export type Verifier = {
  verifyHeader(input: {
    readonly header: Header;
    readonly parent: TreeBlock;
    readonly parentHeader: Header;
  }): { readonly ok: true; readonly primary: boolean } | Refusal;
};

export const hashHeader = (crypto: Pick<Crypto, 'blake2b256'>, header: Header): BlockHash =>
  bytesToBlockHash(crypto.blake2b256(encodeHeader(header)));

/** The extrinsics root of a block is V1 from system version 2 on, else V0 (HOST §2.4). */
export const extrinsicsVersion = (runtime: Runtime): 0 | 1 =>
  (runtime.version.systemVersion ?? 0) >= 2 ? 1 : 0;
export const stateVersion = (runtime: Runtime): 0 | 1 => ((runtime.version.systemVersion ?? 0) >= 1 ? 1 : 0);

/** The root over a block's extrinsics, as its runtime works it out. */
export const rootOfExtrinsics = (
  crypto: Pick<Crypto, 'blake2b256'>,
  runtime: Runtime,
  items: readonly Uint8Array[],
): KnownRoot => knowRoot(crypto.blake2b256, items, extrinsicsVersion(runtime));

/**
 * Step 1: what can be judged without running the block: its number, the extrinsics root of a block of others, and what the
 * engine looks at. Nothing here proves that its author was entitled to it, so an import never makes it final.
 */
export const verifyBlock = (
  deps: { readonly crypto: Crypto; readonly verifier: Verifier },
  input: {
    readonly block: Block;
    readonly parent: TreeBlock;
    readonly parentHeader: Header;
    readonly runtime: Runtime;
    /** Sealed by this node. */
    readonly isOwn: boolean;
    /** Whether the runtime worked out the extrinsics root here, a moment ago. */
    readonly isRootKnown: boolean;
  },
): { readonly ok: true; readonly value: VerifiedBlock } | Refusal => {
  const { block, parent, isOwn, isRootKnown } = input;
  const hash = hashHeader(deps.crypto, block.header);
  if (block.header.number !== parent.number + 1)
    return refuse('BadBlock', `Block #${block.header.number} does not follow its parent #${parent.number}`);
  const extrinsicsRoot = isRootKnown ? null : rootOfExtrinsics(deps.crypto, input.runtime, block.extrinsics);
  if (extrinsicsRoot !== null && !equalBytes(extrinsicsRoot.root, block.header.extrinsicsRoot))
    return refuse(
      'ExtrinsicsRootMismatch',
      `Block #${block.header.number}: the extrinsics root does not match the body`,
    );
  const verdict = deps.verifier.verifyHeader({
    header: block.header,
    parent,
    parentHeader: input.parentHeader,
  });
  if (!verdict.ok) return verdict;
  const weight = parent.weight + (verdict.primary ? 1 : 0);
  return { ok: true, value: { step: 'verified', hash, block, parent, weight, isOwn, extrinsicsRoot } };
};

const describe = (number: number, result: Extract<CallResult, { ok: false }>): string =>
  `Block #${number}: execution failed: ${result.trap}`;

/** Step 2: `Core_execute_block` on the parent's state, seals taken off, then the roots compared (HOST §3.1). */
export const executeBlock = async (
  deps: { readonly store: NodeStore; readonly signatures: SignatureCache },
  verified: VerifiedBlock,
  on: { readonly backend: Backend; readonly runtime: Runtime },
): Promise<{ readonly ok: true; readonly value: ExecutedBlock } | Refusal> => {
  const { block } = verified;
  const input = encodeBlock({ header: splitSeals(block.header).unsealed, extrinsics: block.extrinsics });
  const overlay = createOverlay(on.backend);
  const result = await deps.store.run(() =>
    on.runtime.call(overlay, 'Core_execute_block', input, {
      fuel: 'import',
      verifiedSignatures: deps.signatures,
      knownRoot: verified.extrinsicsRoot,
    }),
  );
  if (!result.ok)
    return refuse(result.kind === 'fuel' ? 'OutOfFuel' : 'BadBlock', describe(block.header.number, result));
  const execution = await deps.store.run(() => overlay.commit(stateVersion(on.runtime)));
  if (!equalBytes(execution.backend.root, block.header.stateRoot))
    return refuse(
      'StateRootMismatch',
      `Block #${block.header.number}: the state root does not match its execution`,
    );
  return { ok: true, value: { ...verified, step: 'executed', execution } };
};

/** A block of our own comes with the execution that built it; the root is compared all the same. */
export const adoptExecution = (
  verified: VerifiedBlock,
  execution: Execution,
): { readonly ok: true; readonly value: ExecutedBlock } | Refusal =>
  equalBytes(execution.backend.root, verified.block.header.stateRoot)
    ? { ok: true, value: { ...verified, step: 'executed', execution } }
    : refuse(
        'StateRootMismatch',
        `Block #${verified.block.header.number}: the state root does not match its execution`,
      );
