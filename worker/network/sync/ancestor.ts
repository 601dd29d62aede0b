/**
 * Finds the highest block that two chains share (sc-network-sync `strategy/chain_sync.rs`, `AncestorSearchState`): first
 * downwards from the lower of both heads, at doubling distances, then by halves.
 */
export type AncestorSearch = {
  /** The height at which both chains are compared next. */
  readonly at: number;
  /** The distance of the next step down; null while the search halves. */
  readonly step: number | null;
  /** Equal here, if the search halves. */
  readonly low: number;
  /** Different here; the first block of which nothing is known, before any comparison. */
  readonly high: number;
  /** Nothing is compared below: what is final is never replaced. */
  readonly floor: number;
};

export type SearchResult =
  | { readonly kind: 'more'; readonly search: AncestorSearch }
  | { readonly kind: 'common'; readonly number: number }
  /** The chains differ in a final block. */
  | { readonly kind: 'foreign' };

export const beginSearch = (own: number, theirs: number, floor: number): AncestorSearch => {
  const at = Math.max(floor, Math.min(own, theirs));
  return { at, step: 1, low: floor, high: at + 1, floor };
};

const between = (low: number, high: number, search: AncestorSearch): SearchResult =>
  high - low <= 1
    ? { kind: 'common', number: low }
    : { kind: 'more', search: { ...search, at: Math.floor((low + high) / 2), step: null, low, high } };

export const continueSearch = (search: AncestorSearch, isEqual: boolean): SearchResult => {
  const { at, step, low, high, floor } = search;
  if (isEqual) return between(at, high, search);
  if (at <= floor) return { kind: 'foreign' };
  if (step === null) return between(low, at, search);
  return { kind: 'more', search: { ...search, at: Math.max(floor, at - step), step: step * 2, high: at } };
};
