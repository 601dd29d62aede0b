import { NodeError } from '../../../../src/protocol/errors.ts';
import { noBytes } from '../../../bytes/bytes.ts';
import { Reader } from '../../../bytes/reader.ts';
import type { BlockHash } from '../../../codec/identity.ts';
import type { Runtime } from '../../../executor/executor.ts';
import { RpcError } from '../../errors.ts';
import { callRuntime, lookUp } from '../../lookups.ts';
import type { RpcParts } from '../../parts.ts';
import { type Written, writtenHex } from '../../written.ts';

/** The runtime returns a byte vector. JSON-RPC returns its content. */
const stripLength = (output: Uint8Array): Uint8Array => {
  try {
    return new Reader(output).vecBytes();
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    throw new RpcError(4003, `Client error: Could not decode the metadata: ${error.message}`);
  }
};

export type LoadMetadata = (parts: Pick<RpcParts, 'chain'>, hash: BlockHash) => Promise<Written<string>>;

/** A block's metadata as hex. Each runtime is called once. A missing block or state is error 4003. */
export const createMetadata = (): LoadMetadata => {
  // Metadata depends only on the code, so the result is valid for every state with the same runtime.
  const known = new WeakMap<Runtime, Written<string>>();
  return async (parts, hash) => {
    const runtime = await lookUp('api', hash, () => parts.chain.runtimeAt(hash));
    const before = known.get(runtime);
    if (before !== undefined) return before;
    const text = writtenHex(stripLength(await callRuntime(parts, 'api', hash, 'Metadata_metadata', noBytes)));
    known.set(runtime, text);
    return text;
  };
};
