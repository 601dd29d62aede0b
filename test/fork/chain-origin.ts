import { hexToBytes } from '../../worker/bytes/hex.ts';
import type { Head, Origin } from '../../worker/chain/origin.ts';
import { encodeHeader } from '../../worker/codec/header.ts';
import { type BlockHash, bytesToBlockHash } from '../../worker/codec/identity.ts';
import type { Node } from '../../worker/node.ts';

const never = (): never => {
  throw new Error('not part of this test');
};

/** A node of the same process as the live chain, without a network between. */
export const originOf = ({ parts: { chain } }: Node): Origin => {
  let requests = 0;
  const hashOf = async (which: Head | number): Promise<BlockHash | null> => {
    if (typeof which === 'number') return chain.loadHashAt(which);
    return (which === 'best' ? chain.best() : chain.finalized()).hash;
  };
  return {
    facts: async () => ({
      genesisHash: hexToBytes(chain.genesisHash),
      name: chain.spec.name,
      id: chain.spec.id,
      chainType: typeof chain.spec.chainType === 'string' ? chain.spec.chainType : null,
      properties: chain.spec.properties,
    }),
    hashAt: async (number) => {
      const hash = await hashOf(number);
      return hash === null ? null : hexToBytes(hash);
    },
    latest: async (which) => hexToBytes((await hashOf(which)) as BlockHash),
    block: async (which, known) => {
      const hash = which instanceof Uint8Array ? bytesToBlockHash(which) : await hashOf(which);
      if (hash === null) return null;
      const block = (await known(hexToBytes(hash))) ?? (await chain.loadBlock(hash));
      return block === null ? null : { hash: hexToBytes(hash), block };
    },
    header: async (hash) => {
      const header = await chain.loadHeader(bytesToBlockHash(hash));
      return header === null ? null : encodeHeader(header);
    },
    body: async (hash) => {
      const block = await chain.loadBlock(bytesToBlockHash(hash));
      return block === null ? null : [...block.extrinsics];
    },
    nodes: async (at, wanted) => {
      requests += 1;
      const proofs = await Promise.all(
        wanted.map(({ child, keys }) =>
          chain.withState(bytesToBlockHash(at), (state) =>
            child === null ? state.prove(keys) : state.proveChild(child, keys),
          ),
        ),
      );
      // As after a network: other bytes than those of the node's own cache.
      return proofs.flat().map((node) => node.slice());
    },
    keysPaged: async (at, prefix, count, startKey) => {
      requests += 1;
      return chain.withState(bytesToBlockHash(at), (state) => state.keysPaged(prefix, count, startKey));
    },
    diff: async () => null,
    follow: never,
    stats: () => ({ requests, bytes: 0, lies: 0, endpoints: [] }),
    onProgress: () => () => undefined,
    close: () => undefined,
  };
};
