import type { ChainModes } from '../client/chain-modes.ts';
import type { ChainOrigin } from './chain-entry.ts';

/**
 * How a new chain seals, where that is not the default: by hand if no block of this node may come between imported ones; a fork
 * when there is a transaction, as its blocks would otherwise run ahead of the live chain; an authority in a network
 * in its slots.
 */
export const sealAtFirst = (
  { kind }: Pick<ChainOrigin, 'kind'>,
  isByHand: boolean,
  isInNetwork: boolean,
): Partial<Pick<ChainModes, 'seal'>> => {
  if (isByHand) return { seal: { kind: 'manual' } };
  if (isInNetwork) return { seal: { kind: 'slots' } };
  return kind === 'fork' ? { seal: { kind: 'instant' } } : {};
};
