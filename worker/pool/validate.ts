import { NodeError } from '../../src/protocol/errors.ts';
import { concatBytes } from '../bytes/bytes.ts';
import { Reader } from '../bytes/reader.ts';
import type { Chain } from '../chain/chain.ts';
import { encodeHeader } from '../codec/header.ts';
import { type BlockHash, blockHashToBytes } from '../codec/identity.ts';
import type { CallResult, Runtime } from '../executor/executor.ts';
import type { SignatureCache } from '../executor/signature-cache.ts';
import type { Backend } from '../state/backend.ts';
import { createOverlay } from '../state/overlay.ts';
import type { ValidateResult } from './pool.ts';

type At = { readonly hash: BlockHash; readonly number: number };

/** `Result<ValidTransaction, TransactionValidityError>` (HOST §3.1). */
export const decodeValidity = (output: Uint8Array): ValidateResult => {
  const reader = new Reader(output);
  if (reader.u8() !== 0) {
    const kind = reader.u8() === 0 ? 'invalid' : 'unknown';
    return { kind, error: output.slice(2) };
  }
  const tags = (): Uint8Array[] => reader.vec((tag) => tag.vecBytes().slice());
  return {
    kind: 'valid',
    priority: reader.u64(),
    requires: tags(),
    provides: tags(),
    longevity: reader.u64(),
    propagate: reader.bool(),
  };
};

const callValidate = (
  runtime: Runtime,
  backend: Backend,
  at: At,
  input: { readonly source: 0 | 1 | 2; readonly extrinsic: Uint8Array },
  signatures: SignatureCache,
): CallResult => {
  const overlay = createOverlay(backend);
  const method = 'TaggedTransactionQueue_validate_transaction';
  const options = { fuel: 'small', verifiedSignatures: signatures } as const;
  const version = runtime.apiVersion('TaggedTransactionQueue') ?? 0;
  const source = Uint8Array.of(input.source);
  if (version >= 3)
    return runtime.call(
      overlay,
      method,
      concatBytes(source, input.extrinsic, blockHashToBytes(at.hash)),
      options,
    );
  // Older runtimes validate inside a block that is begun on the same overlay (HOST §3.1).
  const zero = new Uint8Array(32);
  const header = {
    parentHash: blockHashToBytes(at.hash),
    number: at.number + 1,
    stateRoot: zero,
    extrinsicsRoot: zero,
    digest: [],
  };
  const begun = runtime.call(overlay, 'Core_initialize_block', encodeHeader(header), options);
  if (!begun.ok) return begun;
  return runtime.call(
    overlay,
    method,
    version === 2 ? concatBytes(source, input.extrinsic) : input.extrinsic,
    options,
  );
};

/** Validation at the best block, for the pool. A signature proven here is not proven again when the same bytes are applied. */
export const createValidator =
  (deps: {
    readonly chain: Pick<Chain, 'best' | 'runtimeAt' | 'withState'>;
    readonly signatures: SignatureCache;
  }) =>
  async (extrinsic: Uint8Array, source: 0 | 1 | 2): Promise<ValidateResult> => {
    const at = deps.chain.best();
    const runtime = await deps.chain.runtimeAt(at.hash);
    if (runtime.apiVersion('TaggedTransactionQueue') === null)
      return { kind: 'failed', message: new NodeError('MissingApi').message };
    const result = await deps.chain.withState(at.hash, (backend) =>
      callValidate(runtime, backend, at, { source, extrinsic }, deps.signatures),
    );
    if (!result.ok) return { kind: 'failed', message: `Runtime error: Execution failed: ${result.trap}` };
    try {
      return decodeValidity(result.output);
    } catch (error) {
      if (error instanceof NodeError)
        return { kind: 'failed', message: `Undecodable answer of validate_transaction: ${error.message}` };
      throw error;
    }
  };
