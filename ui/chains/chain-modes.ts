import type { FinalityMode, SealMode } from '../../src/index.ts';
import { readFinality } from '../../src/protocol/finality.ts';

/** How a chain of this browser runs: kept beside it, so that a reload changes nothing. */
export type ChainModes = {
  readonly seal: SealMode;
  /** What the operator chose; null while the seal mode decides. */
  readonly finality: FinalityMode | null;
  /** Where chain time comes from (`StartOptions.clock`). */
  readonly clock: 'chain' | 'wall';
};

/** One block at once and then every 2 s (DESIGN §4). */
export const firstModes: ChainModes = {
  seal: { kind: 'interval', ms: 2000 },
  finality: null,
  clock: 'chain',
};

const readSeal = (value: unknown): SealMode => {
  const { kind, ms } = (value ?? {}) as { readonly kind?: unknown; readonly ms?: unknown };
  if (kind === 'manual' || kind === 'instant' || kind === 'slots') return { kind };
  return kind === 'interval' && typeof ms === 'number' && Number.isInteger(ms) && ms > 0
    ? { kind, ms }
    : firstModes.seal;
};

/** Pages of before finality was delayed kept `instant` whether it was chosen or not: that was the default. */
const readChosen = (value: unknown): FinalityMode | null =>
  value === 'instant' ? null : readFinality(value);

/** Reads what was kept; what is none of the modes is as on a new chain. */
export const readModes = (text: string | null): ChainModes => {
  try {
    const kept = (JSON.parse(text ?? 'null') ?? {}) as Readonly<Record<keyof ChainModes, unknown>>;
    return {
      seal: readSeal(kept.seal),
      finality: readChosen(kept.finality),
      clock: kept.clock === 'wall' ? 'wall' : 'chain',
    };
  } catch {
    return firstModes;
  }
};
