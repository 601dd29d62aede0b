import { type ErrorCode, NodeError } from '../../src/protocol/errors.ts';
import type { Chain } from '../chain/chain.ts';
import { isUnavailable } from '../chain/refusal.ts';
import { blockHashToBytes } from '../codec/identity.ts';
import type { BatchSignatures } from '../executor/batched-signatures.ts';
import { targetOf, validateTransaction } from '../executor/runtime-api.ts';
import { deferSignatures, type SignatureCache } from '../executor/signature-cache.ts';
import { createBursts } from './bursts.ts';
import type { TransactionSource, ValidateResult } from './transaction.ts';

type State = Parameters<Parameters<Chain['withState']>[1]>[0];

/** Failures of the runtime on this transaction; any other is a failure of the node. */
const verdicts: readonly ErrorCode[] = ['BadScale', 'MissingApi', 'OutOfFuel', 'RuntimeTrap'];

/** A runtime that gets no memory fails on a node without memory, not on a bad transaction. */
const isVerdict = (error: unknown): error is NodeError =>
  error instanceof NodeError && verdicts.includes(error.code) && error.details['kind'] !== 'memory';

const failed = (error: NodeError): ValidateResult => {
  const trap = error.details['trap'];
  const { message } = error;
  return typeof trap === 'string' ? { kind: 'failed', message, trap } : { kind: 'failed', message };
};

/** How often the best block may be replaced, with its state, during a validation. */
const maxMoves = 3;

/**
 * Validates at the best block, for the pool. A signature verified here is not verified again when the same
 * bytes are applied. Throws what is no verdict on the transaction: it would be banned for it.
 */
export const createValidator = (deps: {
  readonly chain: Pick<Chain, 'best' | 'runtimeAt' | 'withState'>;
  readonly signatures: SignatureCache;
  readonly batchSignatures: BatchSignatures;
  /** Reads what the block with the transaction is likely to read, together with the first miss. Null: reads are fast. */
  readonly readAlong: ((state: State, extrinsic: Uint8Array) => void) | null;
}) => {
  const { chain, readAlong } = deps;
  const validateAtBest = async (
    extrinsic: Uint8Array,
    source: TransactionSource,
    verifiedSignatures: SignatureCache,
  ): Promise<ValidateResult> => {
    for (let moves = 0; ; moves++) {
      const best = chain.best();
      const at = { hash: blockHashToBytes(best.hash), number: best.number };
      try {
        const runtime = await chain.runtimeAt(best.hash);
        const validate = (backend: State, signatures = verifiedSignatures): ValidateResult => {
          const options = { fuel: 'small', verifiedSignatures: signatures } as const;
          return validateTransaction(targetOf({ backend, runtime }, options), extrinsic, source, at);
        };
        const foresee =
          readAlong &&
          ((trial: State): void => {
            readAlong(trial, extrinsic);
            // What is signed may contain wrong values, and a bad signature would spoil the burst.
            validate(trial, deferSignatures(deps.signatures).signatures);
          });
        return await chain.withState(best.hash, (state) => validate(state), foresee ?? undefined);
      } catch (error) {
        if (isVerdict(error)) return failed(error);
        const hasMoved = chain.best().hash !== best.hash && moves < maxMoves;
        if (!isUnavailable(error) || !hasMoved) throw error;
      }
    }
  };
  const inBurst = createBursts(deps.batchSignatures);
  return (extrinsic: Uint8Array, source: TransactionSource): Promise<ValidateResult> =>
    inBurst((signatures) => validateAtBest(extrinsic, source, signatures ?? deps.signatures));
};
