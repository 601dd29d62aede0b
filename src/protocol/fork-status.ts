/** What is known of one endpoint of a fork's live chain. */
export type EndpointStatus = {
  /** Its URL, without credentials. */
  readonly name: string;
  /**
   * `asking`: its first responses are awaited; `unfit`: it lacks what a fork needs, or is of another chain;
   * `failing`: its last request failed; `liar`: it returned data that its hash contradicts.
   */
  readonly state: 'asking' | 'fit' | 'failing' | 'liar' | 'unfit';
  /** Why it is not fit, or what failed last; null: nothing did. */
  readonly problem: string | null;
  readonly requests: number;
  /** Characters of JSON in both directions, which are bytes for what nodes send. */
  readonly bytes: number;
  readonly failures: number;
  readonly lies: number;
  /** Smoothed time from request to response in ms; null: none was measured yet. */
  readonly latencyMs: number | null;
  /** How old the states are that it has: all of them, or recent ones; null: not known yet. */
  readonly states: 'all' | 'recent' | null;
};

/** A fork of a live chain: what it continues, how it is read, and what is not as on the live chain. */
export type ForkStatus = {
  readonly name: string;
  readonly base: { readonly hash: string; readonly number: number };
  /** As what the base was chosen: that a block is `finalized` or `best` is the endpoint's claim. */
  readonly chosenAs: 'finalized' | 'best' | 'hash' | 'number';
  /** Empty without a network. */
  readonly endpoints: readonly EndpointStatus[];
  readonly requests: number;
  readonly bytes: number;
  readonly lies: number;
  /**
   * What all forks of this browser or base path have read: how many nodes were found there since the start, and its limit.
   * Null: this fork has no such store.
   */
  readonly shared: { readonly found: number; readonly limitBytes: number } | null;
  /**
   * What on the best chain is not what the live chain's runtime does on its own, in words. Empty: each block is, to the
   * byte.
   */
  readonly untruths: readonly string[];
};
