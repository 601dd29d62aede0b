import type { SealMode } from '../../src/index.ts';

/** How a chain of this browser runs: kept beside it, so that a reload changes nothing. */
export type ChainModes = {
  readonly seal: SealMode;
  readonly finality: 'instant' | 'manual';
  /** Where chain time comes from (`StartOptions.clock`). */
  readonly clock: 'chain' | 'wall';
};

/** One block at once and then every 2 s (DESIGN §4). */
export const firstModes: ChainModes = {
  seal: { kind: 'interval', ms: 2000 },
  finality: 'instant',
  clock: 'chain',
};

const readSeal = (value: unknown): SealMode => {
  const { kind, ms } = (value ?? {}) as { readonly kind?: unknown; readonly ms?: unknown };
  if (kind === 'manual' || kind === 'instant' || kind === 'slots') return { kind };
  return kind === 'interval' && typeof ms === 'number' && Number.isInteger(ms) && ms > 0
    ? { kind, ms }
    : firstModes.seal;
};

/** Reads what was kept; what is none of the modes is as on a new chain. */
export const readModes = (text: string | null): ChainModes => {
  try {
    const kept = (JSON.parse(text ?? 'null') ?? {}) as Readonly<Record<keyof ChainModes, unknown>>;
    return {
      seal: readSeal(kept.seal),
      finality: kept.finality === 'manual' ? 'manual' : 'instant',
      clock: kept.clock === 'wall' ? 'wall' : 'chain',
    };
  } catch {
    return firstModes;
  }
};
