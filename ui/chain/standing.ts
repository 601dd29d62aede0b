/** A block with the way to its parent. */
export type LinkedBlock = { readonly hash: string; readonly parent: string; readonly number: number };

/** `final` and `best` lie on the best chain, `fork` beside it; `lost` cannot become final any more. */
export type Standing = 'final' | 'best' | 'fork' | 'lost';

/** Which block the best chain has at a height, as the node answered; null where it has none. */
export type Canonical = ReadonlyMap<number, string | null>;

/** What is known of the best chain beside its path. */
export type Known = {
  /** Number of the finalized block, which lies on the best chain. */
  readonly finalized: number;
  /** Asked for heights that the blocks at hand do not join to the best one. */
  readonly canonical?: Canonical;
};

/** The hashes from `tip` down, as far as the blocks go. */
export const pathOf = (byHash: ReadonlyMap<string, LinkedBlock>, tip: string | null): ReadonlySet<string> => {
  const path = new Set<string>();
  for (let block = byHash.get(tip ?? ''); block && !path.has(block.hash); block = byHash.get(block.parent))
    path.add(block.hash);
  return path;
};

/** The hash of the best chain at each height: of the path where it has one, else as the node answered. */
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
 * Where each block stands, parents before their children. One that nothing joins to the best chain has no standing
 * until the node has told which block the chain has at its height.
 */
export const standingsOf = (
  blocks: readonly LinkedBlock[],
  path: ReadonlySet<string>,
  { finalized, canonical }: Known,
): ReadonlyMap<string, Standing> => {
  const chain = bestChain(blocks, path, canonical);
  const found = new Map<string, Standing>();
  const standingOf = ({ hash, parent, number }: LinkedBlock): Standing | null => {
    const rival = chain.get(number) ?? null;
    if (rival === hash) return number <= finalized ? 'final' : 'best';
    if (number <= finalized) return rival === null ? null : 'lost';
    const below = found.get(parent);
    if (below !== undefined) return below === 'lost' ? 'lost' : 'fork';
    return chain.get(number - 1) === parent ? 'fork' : null;
  };
  for (const block of blocks) {
    const standing = standingOf(block);
    if (standing !== null) found.set(block.hash, standing);
  }
  return found;
};

/** The heights at which the node must say which block the best chain has, to judge the blocks that nothing joins to it. */
export const unjoinedHeights = (
  blocks: readonly LinkedBlock[],
  path: ReadonlySet<string>,
  finalized: number,
): readonly number[] => {
  const known = standingsOf(blocks, path, { finalized });
  const heights = blocks.flatMap(({ hash, number }) => (known.has(hash) ? [] : [number - 1, number]));
  return [...new Set(heights)].filter((height) => height >= 0);
};
