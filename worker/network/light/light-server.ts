import { startsWithBytes } from '../../bytes/bytes.ts';
import { isOriginFault, isUnavailable } from '../../chain/refusal.ts';
import { childPrefix } from '../../state/backend.ts';
import { createPeerQueues } from '../peer-queues.ts';
import { reputationChanges } from '../reputation-changes.ts';
import type { RequestServer } from '../requests.ts';
import { decodeLightRequest, encodeLightResponse, type LightRequest } from './light-request.ts';
import { type ProvingChain, proveCall } from './prove-call.ts';

export type LightServerDeps = {
  readonly chain: ProvingChain;
  readonly rate: (peer: string, change: number) => void;
  readonly onError: (error: unknown) => void;
};

/** A client requests what one call of an application needs at once. */
const maxWaiting = 32;
/** Keys of one request; more are not proven. */
const maxKeys = 16_384;
/** Room for the fields around the proof, below the 16 MiB of a response. */
const maxProofBytes = 16 * 1024 * 1024 - 20 * 1024;
/** The length before each item of a proof. */
const lengthBytes = 5;

/** The SDK expects the prefix of child tries before the name, smoldot sends the name alone. */
const nameOfChild = (child: Uint8Array): Uint8Array =>
  startsWithBytes(child, childPrefix) ? child.subarray(childPrefix.length) : child;

/** Null: the proof cannot be made. */
const prove = async (
  chain: LightServerDeps['chain'],
  request: LightRequest,
): Promise<readonly Uint8Array[] | null> => {
  if (request.kind === 'call') return proveCall(chain, request.block, request.method, request.input);
  const { block, keys } = request;
  if (keys.length > maxKeys) return null;
  if (request.kind === 'read') {
    const read = (state: Parameters<Parameters<typeof chain.withState>[1]>[0]) => state.prove(keys);
    return chain.withState(block, read, read);
  }
  const name = nameOfChild(request.child);
  return chain.withState(block, (state) => state.proveChild(name, keys));
};

const proveIfKept = async (chain: LightServerDeps['chain'], request: LightRequest) => {
  try {
    const proof = await prove(chain, request);
    const bytes = proof?.reduce((sum, { length }) => sum + length + lengthBytes, 0) ?? 0;
    return bytes > maxProofBytes ? null : proof;
  } catch (error) {
    if (isUnavailable(error) || isOriginFault(error)) return null;
    throw error;
  }
};

/** Serves `light/2`: proofs of values and of runtime calls (sc-network-light `light_client_requests/handler.rs`). */
export const createLightServer = ({ chain, rate, onError }: LightServerDeps): RequestServer => {
  const queues = createPeerQueues(maxWaiting, onError);
  return {
    serve: async (peer, bytes) => {
      const request = decodeLightRequest(bytes);
      if (request === null) {
        rate(peer, reputationChanges.undecodable);
        return null;
      }
      return queues.run(peer, async () =>
        encodeLightResponse(request.kind, await proveIfKept(chain, request)),
      );
    },
    forget: queues.forget,
  };
};
