import type { FinalityMode, SealMode } from '../../../src/index.ts';
import { readFinality } from '../../../src/protocol/finality-mode.ts';
import { isOneOf, isShape } from '../../kit/page/guards.ts';

/** How a chain runs. Stored per chain, so that it survives a reload. */
export type ChainModes = {
  readonly seal: SealMode;
  /** Chosen by the operator; null if the seal mode decides. */
  readonly finality: FinalityMode | null;
  /** Source of the chain time (`StartOptions.clock`). */
  readonly clock: 'chain' | 'wall';
  /** Which states a new chain keeps: all, or those of the last `recentStates` finalized blocks. */
  readonly states: 'archive' | 'recent';
};

/** Finalized blocks whose states a new chain of the page keeps: two hours with a block every 2 s. */
export const recentStates = 4096;

/** Defaults of a new chain: a block every 2 s, the first one after 250 ms (worker/author/sealing.ts). */
export const firstModes: ChainModes = {
  seal: { kind: 'interval', ms: 2000 },
  finality: null,
  clock: 'chain',
  states: 'recent',
};

const isPlainSeal = isShape({ kind: isOneOf('manual', 'instant', 'slots') });
const isInterval = isShape({
  kind: isOneOf('interval'),
  ms: (ms): ms is number => Number.isInteger(ms) && Number(ms) > 0,
});

const readSeal = (value: unknown): SealMode => {
  if (isPlainSeal(value)) return { kind: value.kind };
  return isInterval(value) ? value : firstModes.seal;
};

/** Before delayed finality existed, pages always stored the default `instant`, whether chosen or not. */
const readChosen = (value: unknown): FinalityMode | null =>
  value === 'instant' ? null : readFinality(value);

const isRecord = isShape<Readonly<Record<keyof ChainModes, unknown>>>({});

/** Parses stored modes; invalid ones fall back to the defaults. */
export const readModes = (text: string | null): ChainModes => {
  try {
    const kept: unknown = JSON.parse(text ?? 'null');
    if (!isRecord(kept)) return firstModes;
    return {
      seal: readSeal(kept.seal),
      finality: readChosen(kept.finality),
      clock: kept.clock === 'wall' ? 'wall' : 'chain',
      states: kept.states === 'archive' ? 'archive' : 'recent',
    };
  } catch {
    return firstModes;
  }
};
