import { NodeError } from '../../src/protocol/errors.ts';
import type { Chain } from '../chain/chain.ts';
import { blockHashToBytes } from '../codec/identity.ts';
import { targetOf, validateTransaction } from '../executor/runtime-api.ts';
import type { SignatureCache } from '../executor/signature-cache.ts';
import type { TransactionSource, ValidateResult } from './transaction.ts';

const failed = (error: NodeError): ValidateResult => {
  const trap = error.details['trap'];
  const { message } = error;
  return typeof trap === 'string' ? { kind: 'failed', message, trap } : { kind: 'failed', message };
};

/**
 * Validates at the best block, for the pool. A signature verified here is not verified again when the same
 * bytes are applied.
 */
export const createValidator =
  (deps: {
    readonly chain: Pick<Chain, 'best' | 'runtimeAt' | 'withState'>;
    readonly signatures: SignatureCache;
  }) =>
  async (extrinsic: Uint8Array, source: TransactionSource): Promise<ValidateResult> => {
    const best = deps.chain.best();
    const at = { hash: blockHashToBytes(best.hash), number: best.number };
    const runtime = await deps.chain.runtimeAt(best.hash);
    const options = { fuel: 'small', verifiedSignatures: deps.signatures } as const;
    try {
      return await deps.chain.withState(best.hash, (backend) =>
        validateTransaction(targetOf({ backend, runtime }, options), extrinsic, source, at),
      );
    } catch (error) {
      // A disk error is not a verdict on the transaction.
      if (error instanceof NodeError && error.code !== 'StorageBroken') return failed(error);
      throw error;
    }
  };
