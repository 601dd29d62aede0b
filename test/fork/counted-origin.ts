import type { Origin } from '../../worker/chain/origin.ts';
import type { Node } from '../../worker/node.ts';
import { originOf } from './chain-origin.ts';

export type OriginCounts = {
  readonly requests: number;
  /** Requests that had to wait for the response to an earlier one: with a network, each of them takes its latency. */
  readonly rounds: number;
  /** Of nodes in responses, as the hex digits that an endpoint sends. */
  readonly bytes: number;
};

/** A chain of this process as the live chain, with what a fork reads of its state. */
export const countedOrigin = (live: Pick<Node, 'parts'>) => {
  const origin = originOf(live as Node);
  let counts: OriginCounts = { requests: 0, rounds: 0, bytes: 0 };
  /** The rounds of those responses that have arrived. */
  let arrived = 0;
  const count = async <T>(run: () => Promise<T>): Promise<T> => {
    const round = arrived + 1;
    counts = { ...counts, requests: counts.requests + 1, rounds: Math.max(counts.rounds, round) };
    const result = await run();
    arrived = Math.max(arrived, round);
    return result;
  };
  const counted: Origin = {
    ...origin,
    nodes: (...request) =>
      count(async () => {
        const nodes = await origin.nodes(...request);
        const bytes = nodes.reduce((sum, { length }) => sum + 2 * length, counts.bytes);
        counts = { ...counts, bytes };
        return nodes;
      }),
    keysPaged: (...request) => count(() => origin.keysPaged(...request)),
  };
  return {
    origin: counted,
    /** What `work` reads. */
    during: async (work: () => Promise<unknown>): Promise<OriginCounts> => {
      const before = counts;
      await work();
      return {
        requests: counts.requests - before.requests,
        rounds: counts.rounds - before.rounds,
        bytes: counts.bytes - before.bytes,
      };
    },
  };
};
