import { encodeCall } from '../../src/scale/extrinsic.ts';
import { createRuntimeMeta } from '../../src/scale/runtime.ts';
import type { Json, RuntimeMeta } from '../../src/scale/types.ts';
import { bytesToHex } from '../../worker/bytes/hex.ts';
import { type BlockHash, blockHashToBytes } from '../../worker/codec/identity.ts';
import { type Signing, signTransaction } from '../../worker/dev/transaction.ts';
import { accountNonce, metadata, targetOf } from '../../worker/executor/runtime-api.ts';
import type { Node } from '../../worker/node.ts';

export type NamedCall = readonly [pallet: string, name: string, args: Json];

/** Signs calls for one runtime, whose metadata is decoded once. */
export const createSigner = () => {
  let meta: RuntimeMeta | null = null;
  /** Signed extrinsics as hex, with the nonces that follow those of the block's state. */
  return async (
    { parts: { chain, crypto } }: Node,
    at: BlockHash,
    calls: readonly (readonly [suri: string, call: NamedCall, mortal?: Signing['mortal']])[],
  ): Promise<string[]> => {
    const runtime = await chain.runtimeAt(at);
    const genesis = blockHashToBytes(chain.genesisHash);
    const { version } = runtime;
    return chain.withState(at, (backend) => {
      const target = targetOf({ backend, runtime }, { fuel: 'genesis' });
      meta ??= createRuntimeMeta(metadata(target));
      const known = meta;
      const nonces = new Map<string, number>();
      return calls.map(([suri, [pallet, name, args], mortal = null]) => {
        const pair = crypto.suriToPair(suri, 'sr25519');
        const nonce = nonces.get(suri) ?? accountNonce(target, pair.publicKey);
        nonces.set(suri, nonce + 1);
        const call = encodeCall(known, pallet, name, args);
        return bytesToHex(signTransaction(crypto, known, call, pair, { nonce, genesis, version, mortal }));
      });
    });
  };
};
