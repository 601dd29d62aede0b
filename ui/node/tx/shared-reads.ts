import type { UiNode } from '../client/ui-node.ts';
import { loadExtrinsicHashes } from '../hashes.ts';
import type { TxChain, TxNode } from './tx-search.svelte.ts';

/** Remembers the results of `read` by key, until they are forgotten. */
const remembering = <K, A extends readonly unknown[], T>(
  read: (...args: A) => Promise<T>,
  keyOf: (...args: A) => K,
) => {
  const known = new Map<K, Promise<T>>();
  return {
    read: (...args: A): Promise<T> => {
      const key = keyOf(...args);
      const found = known.get(key) ?? read(...args);
      known.set(key, found);
      return found;
    },
    forget: () => known.clear(),
  };
};

/** What searches read of a node and its chain; the same request is made once until `forget` is called. */
export const shareReads = (node: Pick<UiNode, 'request' | 'offers'>, chain: TxChain) => {
  const requests = remembering(
    (method: string, params: readonly unknown[]): Promise<unknown> => node.request(method, params),
    (method, params) => `${method} ${params.join()}`,
  );
  const blocks = remembering(
    (hash: string) => chain.loadBlock(hash),
    (hash) => hash,
  );
  const hashes = remembering(loadExtrinsicHashes, (extrinsics) => extrinsics);
  return {
    node: {
      request: requests.read as UiNode['request'],
      offers: (method) => node.offers(method),
    } satisfies TxNode,
    chain: { loadBlock: blocks.read } satisfies TxChain,
    hashesOf: hashes.read,
    forget: () => {
      for (const part of [requests, blocks, hashes]) part.forget();
    },
  };
};
