import { NodeError } from '../../src/protocol/errors.ts';
import type { ChainSource, PoolSettings } from '../../src/protocol/node.ts';
import type { Limits } from './graph.ts';

/** The future queue gets a tenth of the ready queue's limits. */
const toLimits = ({ limit = 8192, kbytes = 20_480 }: PoolSettings): Limits => ({
  ready: { count: limit, bytes: kbytes * 1024 },
  future: { count: Math.floor(limit / 10), bytes: Math.floor(kbytes / 10) * 1024 },
});

export const defaultLimits: Limits = toLimits({});
export const defaultBanMs = 1_800_000;

const isDevelopment = (chain: ChainSource): boolean =>
  chain === 'development' || (typeof chain === 'object' && 'wasm' in chain && chain.preset === 'development');

/**
 * The pool limits from a node's settings; throws `BadConfig`. The development preset bans nothing, like the
 * SDK's `--dev`.
 */
export const poolOptions = (
  chain: ChainSource,
  settings: PoolSettings = {},
): { readonly limits: Limits; readonly banMs: number } => {
  for (const [name, value] of Object.entries(settings))
    if (value !== undefined && !(Number.isInteger(value) && value >= 0))
      throw new NodeError('BadConfig', `pool.${name} is not a whole number`);
  const { banSeconds } = settings;
  const banMs = isDevelopment(chain) ? 0 : defaultBanMs;
  return { limits: toLimits(settings), banMs: banSeconds === undefined ? banMs : banSeconds * 1000 };
};
