import { recordsProofSize } from '../../../chain/proofs.ts';
import { type BlockHash, bytesToBlockHash } from '../../../codec/identity.ts';
import { RpcError } from '../../errors.ts';
import { failureText, lookUp } from '../../lookups.ts';
import type { RpcParts } from '../../parts.ts';

const unknown = (hash: BlockHash): RpcError => new RpcError(4003, `Client error: UnknownBlock: ${hash}`);

/**
 * `state_callRecorded`: calls the runtime on the state below a block, with the size of the recorded proof as
 * it is when that block is executed (sc-rpc, `state_full.rs`). 4004 unless the chain is a parachain.
 */
export const callRecorded = async (
  { chain }: Pick<RpcParts, 'chain'>,
  hash: BlockHash,
  method: string,
  input: Uint8Array,
): Promise<Uint8Array> => {
  if (!recordsProofSize(await chain.runtimeAt(chain.best().hash)))
    throw new RpcError(4004, 'Recorded runtime calls are not supported by this node');
  const header = await chain.loadHeader(hash);
  if (header === null) throw unknown(hash);
  const parent = bytesToBlockHash(header.parentHash);
  if (header.number === 0) throw unknown(parent);
  const result = await lookUp('state', parent, () => chain.callRecorded(header, method, input));
  if (!result.ok) throw new RpcError(4003, `Client error: ${failureText(method, result)}`);
  return result.output;
};
