import type { DecodedExtrinsic } from '../../../src/scale/extrinsic.ts';
import { readEra } from '../../../src/scale/names.ts';
import type { Era } from './sent-item.ts';
import type { ChainFacts, SendOptions } from './signing.ts';

/**
 * The blocks that can include a transaction with this period and phase, of which the one with the number `current` is
 * one: from its birth on, and before `birth + period` (sp_runtime::generic::Era, `birth` and `death`).
 */
const eraAt = (period: number, phase: number, current: number): Era => {
  const birth = Math.floor((Math.max(current, phase) - phase) / period) * period + phase;
  return { birth, until: birth + period - 1 };
};

/** The era that `signCall` encodes; undefined for an immortal transaction. */
export const eraOf = (
  { birth }: Pick<ChainFacts, 'birth'>,
  { period }: Pick<SendOptions, 'period'>,
): Era | undefined => (period === null ? undefined : eraAt(period, birth.number % period, birth.number));

/** The era of a decoded transaction that is sent when the best block has the number `best`; undefined if immortal. */
export const eraIn = ({ extensions }: DecodedExtrinsic, best: number): Era | undefined => {
  const era = readEra(extensions.find(({ name }) => /^Check(Mort|Era)/.test(name))?.value);
  return era === null ? undefined : eraAt(era.period, era.phase, best);
};
