import type { Pair, Sample } from './rounds.ts';
import type { Tools } from './tools.ts';

/**
 * What a line has to reach: at most this ratio of ours to native's (for a rate, at least), or this value of ours
 * alone.
 */
export type Bar = { readonly of: 'ratio' | 'ours'; readonly limit: number };

export type NativeLine = {
  /** Selects it with `--only`. */
  readonly name: string;
  readonly about: string;
  readonly unit: 'ms' | 'MB' | '/s';
  /** None: reported. */
  readonly bar: Bar | null;
  readonly rounds: number;
  measure(tools: Tools, rounds: number): Promise<Pair<Sample>[]>;
};

/** A ratio of at most (for a rate: at least) `limit`. */
export const ratio = (limit: number): Bar => ({ of: 'ratio', limit });
/** A value of ours of at most `limit`. */
export const ours = (limit: number): Bar => ({ of: 'ours', limit });
