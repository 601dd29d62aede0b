import { type Era, eraAt } from '../../../src/scale/era.ts';
import type { ChainFacts, SendOptions } from './signing.ts';

/** The era that `signCall` encodes; undefined for an immortal transaction. */
export const eraOf = (
  { birth }: Pick<ChainFacts, 'birth'>,
  { period }: Pick<SendOptions, 'period'>,
): Era | undefined => (period === null ? undefined : eraAt(period, birth.number % period, birth.number));
