import type { RehearsedCost, RehearsedProof } from '../../../src/protocol/rehearsal.ts';
import { Writer } from '../../bytes/writer.ts';
import type { Crypto } from '../../crypto/crypto.ts';
import type { Backend } from '../../state/backend.ts';
import type { Overlay } from '../../state/overlay.ts';
import { createRecordedOverlay } from '../../state/recorded-overlay.ts';
import { compactNodes } from '../../trie/compact-proof.ts';
import { createProofSource } from '../../trie/node-source.ts';
import { createProofRecorder, type ProofRecorder } from '../../trie/proof-recorder.ts';
import { proofLimit } from './limits.ts';
import type { ReadCounter } from './read-counter.ts';

/** Compresses at the level of native nodes; null where the platform has no zstd. */
export type Zstd = ((bytes: Uint8Array) => Uint8Array) | null;

export type ProofDeps = { readonly crypto: Pick<Crypto, 'blake2b256'>; readonly zstd: Zstd };

/** An overlay over a state, and what is read through it. */
export type Recorded = { readonly overlay: Overlay; readonly recorder: ProofRecorder };

/** `isCounted`: whether the runtime may ask for the size of the proof, as a parachain's may. */
export const openRecorded = (reads: ReadCounter, backend: Backend, isCounted: boolean): Recorded => {
  const recorder = createProofRecorder();
  return { recorder, overlay: reads.counted(createRecordedOverlay(backend, recorder, isCounted)) };
};

const compactBytes = ({ crypto }: ProofDeps, nodes: readonly Uint8Array[], root: Uint8Array): Uint8Array => {
  const entries = compactNodes(createProofSource(crypto.blake2b256, nodes), root);
  return new Writer(4096).vec(entries, (out, entry) => out.vecBytes(entry)).finish();
};

const proofOf = (
  deps: ProofDeps,
  { recorder }: Recorded,
  root: Uint8Array,
  hasLimit: boolean,
): RehearsedProof => {
  const nodes = recorder.nodes();
  const bytes = compactBytes(deps, nodes, root);
  const zstd = deps.zstd?.(bytes).length ?? null;
  return {
    nodes: nodes.length,
    plain: recorder.size(),
    compact: bytes.length,
    zstd,
    limit: hasLimit ? proofLimit : null,
    isOver: hasLimit && (zstd ?? bytes.length) > proofLimit,
  };
};

/** What a part took whose reads were recorded on the state under `root`. */
export const costOf = (
  deps: ProofDeps,
  recorded: Recorded,
  { root, ms, hasLimit }: { readonly root: Uint8Array; readonly ms: number; readonly hasLimit: boolean },
): RehearsedCost => ({
  ms,
  keysRead: recorded.overlay.keysRead().length,
  proof: proofOf(deps, recorded, root, hasLimit),
});
