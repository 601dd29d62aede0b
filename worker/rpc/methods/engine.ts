import { NodeError } from '../../../src/protocol/errors.ts';
import type { engine } from '../../../src/protocol/rpc/consensus.ts';
import type { SealResult } from '../../author/author.ts';
import { shortHash, toBlockHash } from '../convert.ts';
import type { RpcDialect } from '../dialects/dialect.ts';
import { methodNotFound, RpcError } from '../errors.ts';
import type { CallContext, Handlers } from '../handlers.ts';
import type { RpcParts } from '../parts.ts';
import { listLength } from './block-stats.ts';

const emptyPool = 'Transaction pool is empty, set create_empty to true, if you want to create empty blocks';

type Refusal = Extract<SealResult, { ok: false }>;

/** Error codes of manual seal. */
const sealErrorToRpc = (refusal: Refusal, parent: string | null, dialect: RpcDialect): RpcError => {
  switch (refusal.code) {
    case 'EmptyPool':
      return new RpcError(12000, emptyPool);
    case 'UnknownBlock':
      return parent === null
        ? new RpcError(13000, refusal.message)
        : new RpcError(13000, `Supplied parent_hash: ${shortHash(parent)} doesn't exist in chain`);
    case 'InherentFailed':
      return new RpcError(15000, `Inherents Error: ${refusal.message}`);
    case 'BadBlock':
    case 'BadJustification':
    case 'ExtrinsicsRootMismatch':
    case 'StateRootMismatch':
      return new RpcError(11000, `Import failed: ${refusal.message}`);
    case 'UnknownParent':
      // The parent is known, but below the finalized block.
      return new RpcError(14000, `Consensus Error: Import failed: ${dialect.belowFinalized(refusal)}`);
    case 'StorageBroken':
    case 'StorageQuota':
      return new RpcError(16000, `Client Error: ${refusal.message}`);
    default:
      return new RpcError(14000, `Consensus Error: ${refusal.message}`);
  }
};

const finalizeErrorToRpc = (error: unknown): unknown => {
  if (!(error instanceof NodeError)) return error;
  if (error.code === 'UnknownBlock') return new RpcError(13000, error.message);
  return error.code === 'NotFinalizable' || error.code === 'BadJustification'
    ? new RpcError(14000, `Consensus Error: ${error.message}`)
    : new RpcError(20000, error.message);
};

type Deps = Pick<RpcParts, 'author' | 'chain' | 'sealing'>;

const needEngine = ({ sealing }: Deps, { dialect }: CallContext): void => {
  if (!dialect.hasEngine(sealing.mode())) throw new RpcError(methodNotFound.code, methodNotFound.message);
};

export const engineMethods: Handlers<typeof engine, Deps> = {
  engine_createBlock: async (deps, { create_empty, finalize, parent_hash }, context) => {
    needEngine(deps, context);
    const { author, chain } = deps;
    const parent = parent_hash ?? null;
    const target = parent === null ? {} : { parent: toBlockHash(parent) };
    const prove = context.dialect.provesBlocks;
    const sealed = await author.seal({ createEmpty: create_empty, finalize, prove, ...target });
    if (!sealed.ok) throw sealErrorToRpc(sealed, parent, context.dialect);
    return {
      hash: sealed.hash,
      aux: {
        header_only: false,
        clear_justification_requests: false,
        needs_justification: false,
        bad_justification: false,
        is_new_best: chain.best().hash === sealed.hash,
      },
      proof_size: prove ? listLength(sealed.witness) : 0,
    };
  },
  engine_finalizeBlock: async (deps, { hash, justification }, context) => {
    needEngine(deps, context);
    const { chain } = deps;
    try {
      const given = justification == null ? null : ([justification.engine, justification.data] as const);
      await chain.finalize(toBlockHash(hash), given);
      return true;
    } catch (error) {
      throw finalizeErrorToRpc(error);
    }
  },
};
