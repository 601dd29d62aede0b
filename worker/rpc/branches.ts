import type { BlockHash } from '../codec/identity.ts';
import type { RpcParts } from './parts.ts';

type TreeBlock = ReturnType<RpcParts['chain']['unfinalized']>[number];

/** A tree's blocks by hash, and its leaves in the SDK's order: highest first, then by age. */
export const branchesOf = (
  blocks: readonly TreeBlock[],
): { readonly leaves: TreeBlock[]; readonly byHash: ReadonlyMap<BlockHash, TreeBlock> } => {
  const parents = new Set(blocks.map(({ parent }) => parent));
  const leaves = blocks.filter(({ hash }) => !parents.has(hash)).sort((a, b) => b.number - a.number);
  return { leaves, byHash: new Map(blocks.map((block) => [block.hash, block])) };
};
