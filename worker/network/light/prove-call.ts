import type { Chain } from '../../chain/chain.ts';
import type { BlockHash } from '../../codec/identity.ts';
import { createRecordedOverlay } from '../../state/recorded-overlay.ts';
import { createProofRecorder } from '../../trie/proof-recorder.ts';

export type ProvingChain = Pick<Chain, 'runtimeAt' | 'withState'>;

/**
 * Calls the runtime on a block's state, for somebody who has only its root: the trie nodes and hashed values that the
 * call has read, each once (sc-service `call_executor.rs`, `prove_execution`). Null if the call fails. Throws
 * `UnknownBlock`, `StateDiscarded`.
 */
export const proveCall = async (
  chain: ProvingChain,
  block: BlockHash,
  method: string,
  input: Uint8Array,
): Promise<readonly Uint8Array[] | null> => {
  const runtime = await chain.runtimeAt(block);
  const recorder = createProofRecorder();
  // Light clients execute the call without a size of the proof, as native nodes do.
  const { ok } = await chain.withState(block, (state) =>
    runtime.call(createRecordedOverlay(state, recorder, false), method, input, { fuel: 'small' }),
  );
  return ok ? recorder.nodes() : null;
};
