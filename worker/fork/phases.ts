import { equalBytes } from '../bytes/bytes.ts';
import { predictBlockReads, predictCallReads } from '../chain/import/read-prediction.ts';
import type { TrieStore } from '../chain/states/trie-store.ts';
import { type Block, encodeBlock } from '../codec/block.ts';
import { decodeHeader, encodeHeader, type Header, splitSeals } from '../codec/header.ts';
import type { LogEntry } from '../executor/call-log.ts';
import type { CallResult, Runtime } from '../executor/executor.ts';
import { createSignatureCache, deferSignatures } from '../executor/signature-cache.ts';
import type { Backend } from '../state/backend.ts';
import type { StorageChanges } from '../state/changes.ts';
import type { Overlay } from '../state/overlay.ts';

/** A part of a block's execution (frame-executive): the index of an extrinsic, or what precedes and follows them. */
export type PhaseName = 'initialization' | 'finalization' | number;

export type PhaseRun = {
  readonly name: PhaseName;
  /** Time of the successful attempt in ms, without reads of missing nodes. */
  readonly ms: number;
  readonly logs: readonly LogEntry[];
  /** All writes up to the end of this phase. Null unless they were requested. */
  readonly changes: StorageChanges | null;
};

/** Why a phase cannot be part of the block. */
export type PhaseFault = {
  readonly phase: PhaseName;
  readonly why:
    | { readonly kind: 'trap'; readonly text: string }
    /** The SCALE bytes of a TransactionValidityError. */
    | { readonly kind: 'refused'; readonly error: Uint8Array }
    | { readonly kind: 'header'; readonly text: string };
};

export type PhasesRun = {
  readonly phases: readonly PhaseRun[];
  readonly fault: PhaseFault | null;
  /** What the whole block writes; only complete if there is no fault. */
  readonly overlay: Overlay;
};

type Deps = {
  readonly store: Pick<TrieStore, 'run' | 'readSets'>;
  readonly runtime: Runtime;
  readonly backend: Backend;
  /** Without changes, over the same state. */
  readonly overlay: Overlay;
  readonly block: Block;
  /** Whether the writes are kept for each phase. */
  readonly withChanges: boolean;
  readonly nowMs: () => number;
};

type Call = { readonly name: PhaseName; readonly method: string; readonly input: Uint8Array };

const callsOf = ({ header, extrinsics }: Block): Call[] => [
  {
    name: 'initialization',
    method: 'Core_initialize_block',
    input: encodeHeader(splitSeals(header).unsealed),
  },
  ...extrinsics.map((input, name) => ({ name, method: 'BlockBuilder_apply_extrinsic', input })),
  { name: 'finalization', method: 'BlockBuilder_finalize_block', input: new Uint8Array() },
];

/** Compares what the runtime computed with the header, except for the state root. */
const headerFault = (expected: Header, computed: Header): string | null => {
  if (!equalBytes(expected.extrinsicsRoot, computed.extrinsicsRoot)) return 'the extrinsics root differs';
  const at = expected.digest.findIndex(
    (item, index) => !equalBytes(item, computed.digest[index] ?? new Uint8Array()),
  );
  if (at >= 0) return `item ${at} of the digest differs`;
  return computed.digest.length > expected.digest.length
    ? `the runtime adds ${computed.digest.length - expected.digest.length} items to the digest that the header lacks`
    : null;
};

const faultOf = ({ name }: Call, result: CallResult, header: Header): PhaseFault | null => {
  if (!result.ok) return { phase: name, why: { kind: 'trap', text: result.trap } };
  if (typeof name === 'number' && result.output[0] !== 0)
    return { phase: name, why: { kind: 'refused', error: result.output.slice(1) } };
  if (name !== 'finalization') return null;
  const text = headerFault(splitSeals(header).unsealed, decodeHeader(result.output));
  return text === null ? null : { phase: name, why: { kind: 'header', text } };
};

/**
 * Executes a block part by part on its parent's state, as its author did: the writes are those of
 * `Core_execute_block`. Ends at the first part that fails. Nodes that the store lacks are loaded between attempts.
 */
export const runPhases = async (deps: Deps): Promise<PhasesRun> => {
  const { store, runtime, backend, overlay, block, withChanges, nowMs } = deps;
  const signatures = createSignatureCache();
  const options = { fuel: 'sealed', context: 'import', verifiedSignatures: signatures } as const;
  const input = encodeBlock({ header: splitSeals(block.header).unsealed, extrinsics: block.extrinsics });
  const left = deferSignatures(signatures);
  const trial = { ...options, verifiedSignatures: left.signatures };
  const { predict, done } = predictCallReads(store.readSets, {
    runtime,
    backend,
    method: 'Core_execute_block',
    trialRun: (guesses) => predictBlockReads({ runtime, backend, block, input, options: trial }, guesses),
  });
  const phases: PhaseRun[] = [];
  for (const call of callsOf(block)) {
    let ms = 0;
    const attempt = (): CallResult => {
      const fromMs = nowMs();
      const result = runtime.call(overlay, call.method, call.input, options);
      ms = nowMs() - fromMs;
      return result;
    };
    const result = await store.run(attempt, predict, left.verifyNext);
    phases.push({ name: call.name, ms, logs: result.logs, changes: withChanges ? overlay.changes() : null });
    const fault = faultOf(call, result, block.header);
    if (fault !== null) return { phases, fault, overlay };
  }
  done(overlay);
  return { phases, fault: null, overlay };
};
