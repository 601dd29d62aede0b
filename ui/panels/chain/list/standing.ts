/** A block with the hash of its parent. */
export type LinkedBlock = { readonly hash: string; readonly parent: string; readonly number: number };

/**
 * `final` and `best` are on the best chain, `fork` is not, and `lost` can no longer be finalized. `off` is a
 * `fork` or `lost`: the block where its branch begins is not loaded.
 */
export type Standing = 'final' | 'best' | 'fork' | 'lost' | 'off';

/** Hash of the best chain's block by height, as returned by the node; null where it has none. */
export type Canonical = ReadonlyMap<number, string | null>;

/** What is known about the best chain in addition to its path. */
export type Known = {
  /** Number of the finalized block, which is on the best chain. */
  readonly finalized: number;
  /** Requested for heights at which known blocks are not linked to the best block. */
  readonly canonical?: Canonical;
};

/** The hashes of `tip` and its known ancestors. */
export const pathOf = (byHash: ReadonlyMap<string, LinkedBlock>, tip: string | null): ReadonlySet<string> => {
  const path = new Set<string>();
  for (let block = byHash.get(tip ?? ''); block && !path.has(block.hash); block = byHash.get(block.parent))
    path.add(block.hash);
  return path;
};

/**
 * The hash of the best chain at each height: from the path where it has one, otherwise from the node's
 * answers.
 */
const bestChain = (
  blocks: readonly LinkedBlock[],
  path: ReadonlySet<string>,
  canonical: Canonical = new Map(),
): Canonical =>
  new Map([
    ...canonical,
    ...blocks.filter(({ hash }) => path.has(hash)).map(({ number, hash }) => [number, hash] as const),
  ]);

/**
 * The standing of each block; `blocks` lists parents before their children. A block that is not linked to the
 * best chain has no standing until the node has returned the best chain's block at its height.
 */
export const standingsOf = (
  blocks: readonly LinkedBlock[],
  path: ReadonlySet<string>,
  { finalized, canonical }: Known,
): ReadonlyMap<string, Standing> => {
  const chain = bestChain(blocks, path, canonical);
  const top = blocks.reduce((most, { hash, number }) => (path.has(hash) ? Math.max(most, number) : most), -1);
  const found = new Map<string, Standing>();
  const standingOf = ({ hash, parent, number }: LinkedBlock): Standing | null => {
    const rival = chain.get(number) ?? null;
    if (rival === hash) return number <= finalized ? 'final' : 'best';
    if (number <= finalized) return rival === null ? null : 'lost';
    const below = found.get(parent);
    if (below === 'lost' || below === 'off') return below;
    const rivalBelow = chain.get(number - 1) ?? null;
    if (below === 'fork') return below;
    // Up to the best block, it is a fork only if the best chain has another block at its height.
    if (below !== undefined || rivalBelow === parent) return rival === null && number <= top ? null : 'fork';
    if (rivalBelow !== null && number - 1 <= finalized) return 'lost';
    return chain.has(number) ? 'off' : null;
  };
  for (const block of blocks) {
    const standing = standingOf(block);
    if (standing !== null) found.set(block.hash, standing);
  }
  return found;
};

/**
 * The heights at which the node must be asked for the best chain's block, to determine the standing of blocks
 * that are not linked to the best chain.
 */
export const unjoinedHeights = (
  blocks: readonly LinkedBlock[],
  path: ReadonlySet<string>,
  finalized: number,
): readonly number[] => {
  const known = standingsOf(blocks, path, { finalized });
  const heights = blocks.flatMap(({ hash, number }) =>
    (known.get(hash) ?? 'off') === 'off' ? [number - 1, number] : [],
  );
  return [...new Set(heights)].filter((height) => height >= 0);
};
