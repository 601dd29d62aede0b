import { NodeError } from '../../../src/protocol/errors.ts';
import type { Chain } from '../../chain/chain.ts';
import type { Header } from '../../codec/header.ts';
import { type BlockHash, blockHashToBytes } from '../../codec/identity.ts';
import { findJustification } from '../../codec/justification.ts';
import { type AuthoritySet, setOfBlock } from './authorities.ts';
import { type FinalityProof, grandpaEngine } from './codec.ts';

/** The SDK's limit on headers in a proof. */
const maxUnknownHeaders = 100_000;

type ProvingChain = Pick<Chain, 'finalized' | 'loadHashAt' | 'loadHeader' | 'loadBlock'>;

const need = <T>(value: T | null, number: number): T => {
  if (value === null) throw new NodeError('StorageBroken', `Block #${number} is missing`);
  return value;
};

const loadHeaders = async (chain: ProvingChain, from: number, to: number): Promise<Header[]> => {
  const headers: Header[] = [];
  for (let number = from; number <= to && headers.length < maxUnknownHeaders; number++) {
    const hash = need(await chain.loadHashAt(number), number);
    headers.push(need(await chain.loadHeader(hash), number));
  }
  return headers;
};

/**
 * The justification of the last block in the block's set, or of the newest justified one for a block of the
 * current set, with the headers up to it (sc-consensus-grandpa `prove_finality`). Null if none is stored.
 * Throws `NotFinalizable` for a block that is not final yet, `Unsupported` if the block's set is unknown.
 */
export const proveFinality = async (
  chain: ProvingChain,
  set: AuthoritySet | null,
  number: number,
): Promise<{ readonly proof: FinalityProof; readonly setId: bigint } | null> => {
  if (chain.finalized().number < number) throw new NodeError('NotFinalizable', 'Block not yet finalized');
  const found = set === null ? null : setOfBlock(set, number);
  if (set === null || found === null || found.kind === 'unknown')
    throw new NodeError('Unsupported', 'Block not covered by authority set changes');
  const isPast = found.kind === 'past';
  const last = isPast ? found.last : (set.justified?.number ?? null);
  // There may be blocks above the newest one that were finalized without a proof.
  if (last === null || last < number) return null;
  const hash: BlockHash = need(await chain.loadHashAt(last), last);
  const justification = findJustification(
    (await chain.loadBlock(hash))?.justifications ?? null,
    grandpaEngine,
  );
  if (justification === null) return null;
  const unknownHeaders = await loadHeaders(chain, number + 1, last);
  return {
    proof: { block: blockHashToBytes(hash), justification, unknownHeaders },
    setId: isPast ? found.setId : set.setId,
  };
};
