import { bytesToHex } from '../bytes/hex.ts';
import type { Problem } from './problem.ts';

export type GenesisDeps = {
  /** The genesis hash that is known beforehand; null: the endpoints decide. */
  readonly expected: Uint8Array | null;
  /** The name of the chain that is expected, if that is known. */
  readonly title: string | null;
  readonly endpoints: number;
  schedule(ms: number, run: () => void): () => void;
};

export type Genesis = {
  /** Compares the claim of an endpoint, in the order in which the user listed them, with what they agree on. */
  claim(index: number, hash: unknown, isFirst: boolean): Promise<Problem | null>;
  /** The endpoint could not be asked. */
  absent(index: number): void;
  /** Null until it is known. */
  hash(): string | null;
};

/** How long the other endpoints have to contradict the first one that responds. */
const graceMs = 500;

/** What most of them claim; among equals, what was listed first. */
const majority = (claims: ReadonlyMap<number, string | null>): string | null => {
  const votes = new Map<string, number>();
  for (const [, hash] of [...claims].sort(([a], [b]) => a - b))
    if (hash !== null) votes.set(hash, (votes.get(hash) ?? 0) + 1);
  let best: string | null = null;
  for (const [hash, count] of votes) if (best === null || count > (votes.get(best) ?? 0)) best = hash;
  return best;
};

/** On which chain the endpoints of an origin are. Those of another chain are not asked for anything. */
export const createGenesis = ({ expected, title, endpoints, schedule }: GenesisDeps): Genesis => {
  let agreed = expected === null ? null : (bytesToHex(expected) as string);
  const claims = new Map<number, string | null>();
  const decision = Promise.withResolvers<void>();
  let cancel: (() => void) | null = null;
  const decide = (): void => {
    cancel?.();
    agreed ??= majority(claims);
    if (agreed !== null) decision.resolve();
  };
  const collect = (index: number, hash: string | null): void => {
    if (agreed !== null) return;
    claims.set(index, hash);
    if (claims.size === endpoints) decide();
    else if (hash !== null) cancel ??= schedule(graceMs, decide);
  };
  return {
    claim: async (index, given, isFirst) => {
      if (typeof given !== 'string' || !/^0x[0-9a-f]{64}$/i.test(given))
        return { kind: 'failed', text: 'does not name its genesis block', waitMs: null };
      const hash = given.toLowerCase();
      collect(index, hash);
      if (agreed === null) await decision.promise;
      if (hash === agreed) return null;
      const is = title === null ? 'is of another chain' : `is not of ${title}`;
      return isFirst
        ? { kind: 'unfit', text: `${is}: its genesis is ${hash}, not ${agreed}`, waitMs: null }
        : {
            kind: 'lied',
            text: `changed its chain: its genesis is ${hash} now, not ${agreed}`,
            waitMs: null,
          };
    },
    absent: (index) => {
      if (!claims.has(index)) collect(index, null);
    },
    hash: () => agreed,
  };
};
