import type { Chain } from '../../chain/chain.ts';
import type { CallOptions, CallResult } from '../../executor/executor.ts';
import { createSignatureCache } from '../../executor/signature-cache.ts';

type Run = Chain['run'];

/** What a block of a live chain may take. It ends an endless loop within a minute. */
export const callOptions = (): CallOptions => ({
  fuel: 'sealed',
  context: 'author',
  verifiedSignatures: createSignatureCache(),
});

/**
 * The same for a trial, whose result is dropped: absent values can make a loop longer than it is. Enough for a walk through a
 * large map.
 */
export const trialOptions = (): CallOptions => ({ ...callOptions(), fuel: 'genesis' });

/** Sums the time of the attempts that did not miss anything, in ms. */
export const timed = (run: Run): { readonly run: Run; ms(): number } => {
  let sum = 0;
  return {
    run: async (attempt) => {
      let last = 0;
      const result = await run(() => {
        const from = performance.now();
        const value = attempt();
        last = performance.now() - from;
        return value;
      });
      sum += last;
      return result;
    },
    ms: () => sum,
  };
};

type Failure = Exclude<CallResult, { ok: true }>;

/** A panic has several lines. */
export const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Why a call failed, as the end of a sentence. `work`: what takes fuel, besides a loop. */
export const failureText = (
  { kind, trap }: Pick<Failure, 'kind' | 'trap'>,
  work = 'does many times what fits into a block',
): string => {
  switch (kind) {
    case 'fuel':
      return `it runs out of fuel, so it loops or ${work}`;
    case 'memory':
      return `it needs more memory than a node gives it (${inOneLine(trap)})`;
    case 'missingExport':
    case 'trap':
      return `it traps (${inOneLine(trap)})`;
    default:
      return kind satisfies never;
  }
};
