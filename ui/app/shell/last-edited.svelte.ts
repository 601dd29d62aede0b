import { type Query, query } from '../../node/client/query.svelte.ts';
import type { UiNode } from '../../node/client/ui-node.ts';
import type { SharedStatus } from '../../node/node-status.svelte.ts';

type BlockRef = { readonly hash: string; readonly number: number };

/** The block of the best chain whose state was edited last; `block` is null if there is none. */
export const queryLastEdited = (
  node: UiNode,
  status: SharedStatus,
): Query<{ readonly block: BlockRef | null }> => {
  /** Numbers of blocks by hash, which never change. */
  const numbers = new Map<string, number>();
  const numberOf = async (hash: string): Promise<number> => {
    const known = numbers.get(hash);
    if (known !== undefined) return known;
    const header = await node.request('chain_getHeader', [hash]);
    if (header !== null) numbers.set(hash, Number(header.number));
    return Number(header?.number ?? 0);
  };
  return query(
    () => {
      const { now } = status;
      return now === null ? undefined : `${now.bestHash} ${now.modified} ${now.edited}`;
    },
    async () => {
      const { modified = false, edited = [] } = status.last ?? {};
      if (!modified || edited.length === 0) return { block: null };
      const heights = await Promise.all(edited.map(numberOf));
      const canonical = [await node.request('chain_getBlockHash', [heights])].flat();
      const at = edited.findLastIndex((hash, index) => canonical[index] === hash);
      const hash = edited[at];
      return { block: hash === undefined ? null : { hash, number: heights[at] ?? 0 } };
    },
  );
};
