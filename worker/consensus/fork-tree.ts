import type { Writer } from '../bytes/writer.ts';
import type { BlockRef } from '../chain/tree.ts';
import { blockHashToBytes } from '../codec/identity.ts';

export type ForkNode<T> = {
  readonly item: T;
  readonly parent: ForkNode<T> | null;
  readonly children: ForkNode<T>[];
  /** Length of the longest branch below. */
  depth: number;
};

/**
 * The roots of the SDK's `ForkTree` after it imported the items in order, parents first. Siblings are ordered
 * deepest first and re-sorted (stably) whenever a branch grows, so among equals the one that reached the
 * depth first leads.
 */
export const buildForkTree = <T>(
  items: readonly T[],
  parentOf: (item: T) => T | null,
): readonly ForkNode<T>[] => {
  const roots: ForkNode<T>[] = [];
  const nodes = new Map<T | null, ForkNode<T>>();
  for (const item of items) {
    const parent = nodes.get(parentOf(item)) ?? null;
    const node = { item, parent, children: [], depth: 0 };
    nodes.set(item, node);
    (parent?.children ?? roots).push(node);
    let depth = 1;
    for (let above = parent; above !== null && above.depth < depth; above = above.parent) {
      above.depth = depth++;
      (above.parent?.children ?? roots).sort((a, b) => b.depth - a.depth);
    }
  }
  return roots;
};

/** SCALE of the SDK's `ForkTree`. Iterative, since each unfinalized epoch is one level. */
export const writeForkTree = <T extends BlockRef>(
  writer: Writer,
  roots: readonly ForkNode<T>[],
  bestFinalized: number | null,
  writeItem: (out: Writer, item: T) => void,
): Writer => {
  const rest = roots.toReversed();
  writer.compact(roots.length);
  for (let node = rest.pop(); node !== undefined; node = rest.pop()) {
    const { item, children } = node;
    writeItem(writer.raw(blockHashToBytes(item.hash)).u32(item.number), item);
    writer.compact(children.length);
    rest.push(...children.toReversed());
  }
  return writer.option(bestFinalized, (out, number) => out.u32(number));
};
