import { type ErrorCode, NodeError } from '../../src/protocol/errors.ts';
import type { FinalityMode } from '../../src/protocol/node.ts';
import type { Chain } from '../chain/chain.ts';
import type { Block } from '../codec/block.ts';
import { encodeBlock } from '../codec/block.ts';
import { encodeHeader, type Header } from '../codec/header.ts';
import { type BlockHash, blockHashToBytes } from '../codec/identity.ts';
import type { Crypto } from '../crypto/crypto.ts';
import type { Runtime } from '../executor/executor.ts';
import type { SignatureCache } from '../executor/signature-cache.ts';
import type { Pool, PoolTransaction } from '../pool/pool.ts';
import type { Claim, SlotEngine } from './engine.ts';
import type { Pace } from './pace.ts';
import { type Proposal, proposeBlock } from './proposer.ts';

export type SealOptions = {
  readonly createEmpty: boolean;
  readonly finalize: boolean;
  readonly parent?: BlockHash;
  /** Follow the wall clock's slot instead of the next claimable one. */
  readonly wall?: boolean;
};

export type SealResult =
  | {
      readonly ok: true;
      readonly hash: BlockHash;
      readonly number: number;
      readonly included: number;
      readonly sizeBytes: number;
    }
  | { readonly ok: false; readonly code: ErrorCode | 'EmptyPool'; readonly message: string };

/** Builds, seals and hands in blocks, one at a time. */
export type Author = {
  seal(options: SealOptions): Promise<SealResult>;
  finality(): FinalityMode;
  engineAt(hash: BlockHash): Promise<SlotEngine['name']>;
  slotMs(): Promise<number | null>;
};

export type AuthorDeps = {
  readonly chain: Chain;
  readonly pool: Pick<Pool, 'ready' | 'readyCount' | 'remove'>;
  readonly crypto: Crypto;
  readonly pace: Pace;
  readonly signatures: SignatureCache;
  readonly selectEngine: (runtime: Runtime) => SlotEngine;
  /** Resolves when the pool knows of every block announced so far; else what is included would be offered again. */
  readonly settled: () => Promise<void>;
};

const sealBlock = (crypto: Crypto, block: Block, claim: Claim): Block => {
  const seal = claim.seal(crypto.blake2b256(encodeHeader(block.header)));
  if (seal === null) return block;
  const header: Header = { ...block.header, digest: [...block.header.digest, seal] };
  return { header, extrinsics: block.extrinsics };
};

const failure = (error: unknown): SealResult => {
  if (error instanceof NodeError) return { ok: false, code: error.code, message: error.message };
  throw error;
};

export const createAuthor = (deps: AuthorDeps, options: { readonly finality: FinalityMode }): Author => {
  const { chain, pool, crypto } = deps;
  let tail: Promise<unknown> = Promise.resolve();

  const claimOn = async (
    parent: BlockHash,
    header: Header,
    runtime: Runtime,
    slot: 'next' | 'wall',
  ): Promise<Claim> => {
    const engine = deps.selectEngine(runtime);
    const parentHash = blockHashToBytes(parent);
    const claim = await chain.withState(parent, (backend) =>
      engine.claim({ parentHash, parentHeader: header, backend, runtime, slot }),
    );
    if (claim !== null) return claim;
    throw new NodeError(
      'NoClaimableKey',
      `No key of the keystore may author block #${header.number + 1} (${engine.name})`,
    );
  };

  const propose = async (
    parent: BlockHash,
    wall: boolean,
  ): Promise<{ block: Block; proposal: Proposal<PoolTransaction> }> => {
    const header = await chain.loadHeader(parent);
    if (header === null)
      throw new NodeError('UnknownBlock', `Header was not found in the database: ${parent}`);
    const runtime = await chain.runtimeAt(parent);
    const claim = await claimOn(parent, header, runtime, wall ? 'wall' : 'next');
    const backend = await chain.withState(parent, (state) => state);
    const on = { hash: blockHashToBytes(parent), header, backend, runtime };
    const proposal = await proposeBlock({ ...deps, run: chain.run }, on, claim, pool.ready());
    return { block: sealBlock(crypto, proposal.block, claim), proposal };
  };

  const sealNow = async (request: SealOptions): Promise<SealResult> => {
    await deps.settled();
    if (!request.createEmpty && pool.readyCount() === 0)
      return {
        ok: false,
        code: 'EmptyPool',
        message: 'Transaction pool is empty, set create_empty to true, if you want to create empty blocks',
      };
    const best = chain.best().hash;
    const parent = request.parent ?? best;
    const { block, proposal } = await propose(parent, request.wall ?? false);
    if (proposal.invalid.length > 0)
      pool.remove(
        proposal.invalid.map((transaction) => transaction.hash),
        true,
      );
    const finalize = request.finalize || (options.finality.kind === 'instant' && parent === best);
    const imported = await chain.import(block, { execution: proposal.execution, finalize });
    if (!imported.ok) return imported;
    const { hash, number } = imported;
    return {
      ok: true,
      hash,
      number,
      included: proposal.included.length,
      sizeBytes: encodeBlock(block).length,
    };
  };

  return {
    seal: (request) => {
      const result = tail.then(() => sealNow(request)).catch(failure);
      tail = result.catch(() => undefined);
      return result;
    },
    finality: () => options.finality,
    engineAt: async (hash) => deps.selectEngine(await chain.runtimeAt(hash)).name,
    slotMs: async () => {
      const { hash } = chain.best();
      const runtime = await chain.runtimeAt(hash);
      return chain.withState(hash, (backend) => deps.selectEngine(runtime).slotMs({ backend, runtime }));
    },
  };
};
