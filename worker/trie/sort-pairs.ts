import { compareBytes } from '../bytes/bytes.ts';
import type { SortedPairs } from './build-trie.ts';

type Pair = SortedPairs[number];

const isSorted = (pairs: SortedPairs): boolean => {
  for (let at = 1; at < pairs.length; at++)
    if (compareBytes((pairs[at - 1] as Pair)[0], (pairs[at] as Pair)[0]) >= 0) return false;
  return true;
};

/** Up to this number, comparing all keys is faster than looking at one byte of each. */
const fewPairs = 16;

/** Of equal keys, the last pair counts. */
const addSorted = (out: Pair[], pairs: Pair[]): void => {
  pairs.sort(([a], [b]) => compareBytes(a, b));
  for (let at = 0; at < pairs.length; at++) {
    const next = pairs[at + 1];
    if (next === undefined || compareBytes((pairs[at] as Pair)[0], next[0]) !== 0)
      out.push(pairs[at] as Pair);
  }
};

/** How many bytes all keys have in common. */
const commonLength = (pairs: readonly Pair[], from: number): number => {
  const [first] = pairs[0] as Pair;
  let common = first.length;
  for (const [key] of pairs) {
    const end = Math.min(common, key.length);
    let at = from;
    while (at < end && key[at] === first[at]) at++;
    common = at;
  }
  return common;
};

/** Sorts pairs whose keys agree in the first `from` bytes. */
const addAll = (out: Pair[], pairs: Pair[], from: number): void => {
  if (pairs.length <= fewPairs) {
    addSorted(out, pairs);
    return;
  }
  const at = commonLength(pairs, from);
  const ended: Pair[] = [];
  const byByte: (Pair[] | undefined)[] = [];
  for (const pair of pairs) {
    const byte = pair[0][at];
    if (byte === undefined) ended.push(pair);
    else if (byByte[byte] === undefined) byByte[byte] = [pair];
    else byByte[byte].push(pair);
  }
  const last = ended.at(-1);
  if (last !== undefined) out.push(last);
  for (let byte = 0; byte < byByte.length; byte++) {
    const some = byByte[byte];
    if (some !== undefined) addAll(out, some, at + 1);
  }
};

/**
 * Pairs in the byte order of their keys; of equal keys the last one counts. A list that is in order, such as in specifications of
 * the SDK, is returned itself. By bytes from the first on: keys of a state begin alike, which makes comparisons slow.
 */
export const sortPairs = (pairs: SortedPairs): SortedPairs => {
  if (isSorted(pairs)) return pairs;
  const out: Pair[] = [];
  addAll(out, [...pairs], 0);
  return out;
};
