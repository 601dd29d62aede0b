import { sizeText } from '../kit/text/format.ts';
import type { PageContext } from './page-context.ts';

type Sample = { readonly atMs: number; readonly bytes: number };

const everyMs = 15_000;
/** An hour of samples. */
const mostSamples = 240;
/** With less time between the first and the last sample, no growth is shown. */
const leastMs = 2 * 60_000;
const hourMs = 3_600_000;

/**
 * Bytes per hour by the line that fits the samples best: databases grow in steps. Null for less than two minutes.
 */
export const growthOf = (samples: readonly Sample[]): number | null => {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined || last.atMs - first.atMs < leastMs) return null;
  const mean = (of: (sample: Sample) => number) =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const [at, size] = [mean(({ atMs }) => atMs), mean(({ bytes }) => bytes)];
  const spread = mean(({ atMs }) => (atMs - at) ** 2);
  return (mean(({ atMs, bytes }) => (atMs - at) * (bytes - size)) / spread) * hourMs;
};

/** A growth: `+1.2 MB/h`. */
export const growthText = (perHour: number | null): string =>
  perHour === null
    ? 'measuring growth…'
    : `${perHour < 0 ? '−' : '+'}${sizeText(Math.abs(Math.round(perHour)))}/h`;

/**
 * What the chain takes on the disk, sampled from the start of the page. A browser counts what a page stores as a
 * whole; only the open chains of the page grow.
 */
export class DiskUse {
  #samples = $state.raw<readonly Sample[]>([]);

  /** `read` returns the size in bytes, or null if it is not known. */
  constructor(read: () => Promise<number | null>, ended: AbortSignal) {
    const take = async () => {
      const bytes = await read().catch(() => null);
      if (bytes === null || ended.aborted) return;
      this.#samples = [...this.#samples.slice(1 - mostSamples), { atMs: Date.now(), bytes }];
    };
    void take();
    const timer = setInterval(take, everyMs);
    ended.addEventListener('abort', () => clearInterval(timer));
  }

  /** Null until known. */
  get bytes(): number | null {
    return this.#samples.at(-1)?.bytes ?? null;
  }

  get growth(): string {
    return growthText(growthOf(this.#samples));
  }
}

/** The disk use of the context's node, observed until the context is closed. */
export const diskUseOf = (context: PageContext): DiskUse => {
  const { node, status, keep, session } = context;
  const disk = keep('disk', (ended) => {
    const stored = async () => {
      const { storage } = status.last ?? (await status.load());
      if (storage === 'memory') return null;
      if (storage === 'indexeddb' && node.remote === null)
        return (await navigator.storage.estimate()).usage ?? null;
      return (await node.rpc.dev_stats()).storedBytes;
    };
    return new DiskUse(stored, ended);
  });
  if (session) session.disk = disk;
  return disk;
};
