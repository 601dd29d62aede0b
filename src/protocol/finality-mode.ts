import type { FinalityMode, SealMode } from './node.ts';

/**
 * Long enough for a busy client to fetch a block it was just notified of, yet short enough to wait for
 * (decision 15).
 */
const defaultDelayMs = 1500;

const maxDelay = 0x7fff_ffff;

/** The default of `delayed`. */
export const delayedFinality: FinalityMode = { kind: 'delayed', ms: defaultDelayMs };

/**
 * The finality mode if the operator chose none: `instant` with manual sealing, otherwise `grandpa` if the keystore
 * holds the whole authority set, and `delayed` if not.
 */
export const defaultFinality = (seal: SealMode, isWhole: boolean): FinalityMode => {
  if (seal.kind === 'manual') return { kind: 'instant' };
  return isWhole ? { kind: 'grandpa' } : delayedFinality;
};

const isDelay = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= maxDelay;

/** Reads a mode from its name or from an object; null if it is invalid. */
export const readFinality = (value: unknown): FinalityMode | null => {
  const isObject = typeof value === 'object' && value !== null;
  const { kind, ms, blocks } = (isObject ? value : { kind: value }) as Readonly<Record<string, unknown>>;
  if (kind === 'instant' || kind === 'manual' || kind === 'grandpa') return { kind };
  if (kind !== 'delayed') return null;
  if (ms === undefined && blocks === undefined) return delayedFinality;
  if (blocks === undefined && isDelay(ms)) return { kind, ms };
  return ms === undefined && isDelay(blocks) ? { kind, blocks } : null;
};
