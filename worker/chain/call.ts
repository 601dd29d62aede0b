import { encodeHeader, type Header } from '../codec/header.ts';
import { type BlockHash, blockHashToBytes } from '../codec/identity.ts';
import type { CallOptions, CallResult } from '../executor/executor.ts';
import type { SignatureCache } from '../executor/signature-cache.ts';
import type { Backend } from '../state/backend.ts';
import { createOverlay } from '../state/overlay.ts';
import { pendingReadsOf } from '../state/trial.ts';
import { predictCallReads } from './import/read-prediction.ts';
import type { TrieStore } from './states/trie-store.ts';
import type { ChainView } from './view.ts';

export type CallAtOptions = CallOptions & {
  /** Initializes the block that would follow, without a claim or inherents, and runs the call within it. */
  readonly inNextBlock?: boolean;
};

type Deps = {
  readonly store: TrieStore;
  readonly signatures: SignatureCache;
  readonly view: Pick<ChainView, 'loadHeader' | 'runtimeAt' | 'backendAt' | 'whileKept'>;
};

const loadNextHeader = async ({ view }: Deps, hash: BlockHash): Promise<Uint8Array | null> => {
  const parent = await view.loadHeader(hash);
  if (parent === null) return null;
  const root = new Uint8Array(32);
  const header: Header = {
    parentHash: blockHashToBytes(hash),
    number: parent.number + 1,
    stateRoot: root,
    extrinsicsRoot: root,
    digest: [],
  };
  return encodeHeader(header);
};

/** A runtime call on a block's state whose changes are dropped. Throws `UnknownBlock`, `StateDiscarded`. */
export const callAt = async (
  deps: Deps,
  hash: BlockHash,
  method: string,
  input: Uint8Array,
  { inNextBlock = false, ...options }: CallAtOptions = {},
): Promise<CallResult> => {
  const runtime = await deps.view.runtimeAt(hash);
  const backend = await deps.view.backendAt(hash);
  const opening = inNextBlock ? await loadNextHeader(deps, hash) : null;
  // Accepts the same signatures as the pool and block execution do, including those of impersonated accounts.
  const all = { fuel: 'small', verifiedSignatures: deps.signatures, ...options } as const;
  const attempt = (state: Backend) => {
    const overlay = createOverlay(state);
    const opened = opening === null ? null : runtime.call(overlay, 'Core_initialize_block', opening, all);
    return { overlay, result: opened?.ok === false ? opened : runtime.call(overlay, method, input, all) };
  };
  // A trial would have effects outside the overlay.
  const hasEffects = options.extensions !== undefined;
  const trialRun = (guesses: boolean) => (hasEffects ? [] : pendingReadsOf(backend, attempt, guesses));
  const { predict, done } = predictCallReads(deps.store.readSets, { backend, runtime, method, trialRun });
  const { overlay, result } = await deps.view.whileKept(hash, () =>
    deps.store.run(() => attempt(backend), predict),
  );
  done(overlay);
  return result;
};
