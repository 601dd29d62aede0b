import fc from 'fast-check';
import { bytesToHex } from '../../../worker/bytes/hex.ts';
import type { Crypto } from '../../../worker/crypto/crypto.ts';
import { compare, type Found, type Seen } from './compare.ts';
import { callingCalls, knownDifferences } from './differences.ts';
import type { Pair } from './nodes.ts';
import type { Argument, Call } from './script.ts';
import { type Sequence, sequences } from './sequences.ts';

const describeArgument = (argument: Argument): string => {
  if (argument.kind !== 'bytes')
    return `${argument.kind === 'number' ? '' : `${argument.kind} `}${argument.value}`;
  const { bytes } = argument;
  return bytes.length <= 40
    ? bytesToHex(bytes)
    : `${bytesToHex(bytes.subarray(0, 36))}… (${bytes.length} bytes)`;
};
const describeCall = ({ name, args }: Call): string => [name, ...args.map(describeArgument)].join(' ');
const describeSeen = (seen: Seen): string =>
  'trap' in seen ? `trap: ${seen.trap}` : `0x${seen.result.value.toString(16)} → ${seen.result.bytes}`;

/** The calls that show a difference, and what each side did at the last one. */
export const describeFound = ({ calls, ours, native }: Found): string =>
  [...calls.map(describeCall), `  ours:   ${describeSeen(ours)}`, `  native: ${describeSeen(native)}`].join(
    '\n',
  );

const namesByCall = new Map([...callingCalls].map(([name, call]) => [call, name]));
/** The host functions that calls have reached, also those called in another runtime. */
export const reached = (calls: readonly Call[]): string[] =>
  calls.map((call) => namesByCall.get(call) ?? call.name);

export type CheckOptions = {
  /** By version of the state trie. */
  readonly pairs: readonly Pair[];
  readonly crypto: Crypto;
  readonly count: number;
  readonly length: number;
  readonly seed: number;
  /** Also calls with the keystores, which keep all keys: both must have begun together. Default: yes. */
  readonly keystores?: boolean;
  readonly onSequence?: (done: number) => void;
};

export type Checked = {
  /** Calls executed on both sides. */
  readonly calls: number;
  readonly names: ReadonlySet<string>;
  /** Known differences that came up. */
  readonly known: ReadonlySet<string>;
  /** The shortest sequence found that shows a difference, as text; null if there is none. */
  readonly failure: string | null;
};

/** Compares random sequences of the seed until one differs, which is then reduced. */
export const checkSequences = async (options: CheckOptions): Promise<Checked> => {
  const { pairs, crypto, count, length, seed, keystores = true, onSequence } = options;
  const names = new Set<string>();
  const known = new Set<string>();
  let [calls, done] = [0, 0];
  const failures: Found[] = [];
  const property = fc.asyncProperty(sequences(crypto, { length, keystores }), async (sequence: Sequence) => {
    const pair = pairs[sequence.stateVersion % pairs.length] as Pair;
    const { withKeystore } = sequence;
    const result = await compare(pair, sequence.calls, { withKeystore, differences: knownDifferences });
    for (const name of reached(result.executed)) names.add(name);
    for (const name of result.known) known.add(name);
    calls += result.executed.length;
    onSequence?.(++done);
    if (result.found !== null) failures.push(result.found);
    return result.found === null;
  });
  const details = await fc.check(property, { numRuns: count, seed });
  // Each failure is shorter than the one before it.
  const shortest = failures.at(-1);
  // Without one, the comparison itself failed, for example because a node ended.
  if (details.failed && shortest === undefined) throw details.errorInstance;
  return { calls, names, known, failure: shortest === undefined ? null : describeFound(shortest) };
};

/** Scripts that each side has at a time: while one side works on one, the other has the next. */
const scriptsAtOnce = 8;

const mapAtOnce = async <T, R>(all: readonly T[], run: (one: T) => Promise<R>): Promise<R[]> => {
  const results: R[] = [];
  for (let start = 0; start < all.length; start += scriptsAtOnce)
    results.push(...(await Promise.all(all.slice(start, start + scriptsAtOnce).map(run))));
  return results;
};

/** Compares single calls and fixed lists; the differences found, as texts. */
export const checkFixed = async (pair: Pair, lists: readonly (readonly Call[])[]): Promise<string[]> => {
  const compared = await mapAtOnce(lists, (calls) => compare(pair, calls, { differences: knownDifferences }));
  return compared.flatMap(({ found }) => (found === null ? [] : [describeFound(found)]));
};

/** Calls in one list: enough that an instance for each list, which costs ours more than a call, no longer counts. */
const listLength = 30;

/**
 * Compares each of these calls alone. Those that return at the native node share lists first, because few instances are
 * faster than many. A list in which anything differs, or that ends early, says nothing of each call in it, so that its
 * calls are compared alone after all.
 */
export const checkEach = async (pair: Pair, calls: readonly Call[]): Promise<string[]> => {
  const alone: Call[] = [];
  const returning: Call[] = [];
  const outcomes = await mapAtOnce(calls, (call) => pair.native([call], false));
  for (const [at, call] of calls.entries()) (outcomes[at]?.ok ? returning : alone).push(call);
  for (let start = 0; start < returning.length; start += listLength) {
    const list = returning.slice(start, start + listLength);
    const { executed, known, found } = await compare(pair, list, { differences: knownDifferences });
    if (found !== null || known.size > 0 || executed.length < list.length) alone.push(...list);
  }
  return checkFixed(
    pair,
    alone.map((call) => [call]),
  );
};
