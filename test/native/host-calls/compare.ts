import type { Outcome, Pair, Side } from './nodes.ts';
import { sameReason } from './reasons.ts';
import type { Call, Result } from './script.ts';

/** What one side did at a call: returned a result, or trapped. */
export type Seen = { readonly result: Result } | { readonly trap: string };

/** A call at which the sides differ; `calls` are all calls up to it. */
export type Found = {
  readonly calls: readonly Call[];
  readonly call: Call;
  readonly ours: Seen;
  readonly native: Seen;
};

export type Known = { readonly name: string; covers(found: Found): boolean };

/** How far a script ran on both sides, and the first difference that is not known. */
export type Comparison = {
  readonly executed: readonly Call[];
  readonly known: ReadonlySet<string>;
  readonly found: Found | null;
};

type Ran = {
  /** Results of the calls before the trap. */
  readonly results: readonly Result[];
  readonly trap: string | null;
};

/** The script up to the call that traps. The last one usually does, so it is tried first. */
const runToTrap = async (side: Side, calls: readonly Call[], withKeystore: boolean): Promise<Ran> => {
  const all = await side(calls, withKeystore);
  if (all.ok) return { results: all.results, trap: null };
  let trap = all.why;
  let works: Extract<Outcome, { ok: true }> = { ok: true, results: [] };
  let [low, high] = [0, calls.length];
  let middle = calls.length - 1;
  while (high - low > 1) {
    const outcome = await side(calls.slice(0, middle), withKeystore);
    if (outcome.ok) {
      works = outcome;
      low = middle;
    } else {
      trap = outcome.why;
      high = middle;
    }
    middle = (low + high) >> 1;
  }
  return { results: works.results, trap };
};

const seenAt = ({ results, trap }: Ran, at: number): Seen => {
  const result = results[at];
  return result === undefined ? { trap: trap ?? 'no result' } : { result };
};

/** Where an allocation differed before, pointers say nothing any more. */
const isSame = (a: Seen, b: Seen, comparePointers: boolean): boolean => {
  if ('trap' in a || 'trap' in b) return 'trap' in a && 'trap' in b && sameReason(a.trap, b.trap);
  const isPointer = a.result.bytes !== '0x' || b.result.bytes !== '0x';
  if (a.result.bytes !== b.result.bytes) return false;
  return a.result.value === b.result.value || (isPointer && !comparePointers);
};

/**
 * Both sides up to their traps. Results are those of one script, since its length decides where everything
 * else is allocated.
 */
const runBoth = async (
  { ours, native }: Pair,
  calls: readonly Call[],
  withKeystore: boolean,
): Promise<[Ran, Ran]> => {
  const [mine, theirs] = await Promise.all([
    runToTrap(ours, calls, withKeystore),
    runToTrap(native, calls, withKeystore),
  ]);
  if (mine.results.length === theirs.results.length) return [mine, theirs];
  const shorter = calls.slice(0, Math.min(mine.results.length, theirs.results.length));
  const again = async (side: Side, { results, trap }: Ran): Promise<Ran> => {
    const outcome = await side(shorter, withKeystore);
    const first = outcome.ok ? outcome.results : [];
    return { results: [...first, ...results.slice(first.length)], trap };
  };
  return [await again(ours, mine), await again(native, theirs)];
};

/** Runs a script on both sides and compares each result. */
export const compare = async (
  pair: Pair,
  calls: readonly Call[],
  {
    withKeystore = false,
    differences,
  }: { readonly withKeystore?: boolean; readonly differences: readonly Known[] },
): Promise<Comparison> => {
  const [mine, theirs] = await runBoth(pair, calls, withKeystore);
  const known = new Set<string>();
  const shorter = Math.min(mine.results.length, theirs.results.length);
  const executed = calls.slice(0, shorter + 1);
  let comparePointers = true;
  for (const [at, call] of executed.entries()) {
    const [a, b] = [seenAt(mine, at), seenAt(theirs, at)];
    if (isSame(a, b, comparePointers)) continue;
    const found: Found = { calls: calls.slice(0, at + 1), call, ours: a, native: b };
    const cover = differences.find(({ covers }) => covers(found));
    if (cover === undefined) return { executed, known, found };
    known.add(cover.name);
    if (!('result' in a && 'result' in b) || a.result.bytes.length !== b.result.bytes.length)
      comparePointers = false;
  }
  return { executed, known, found: null };
};
