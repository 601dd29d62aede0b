export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
};

/** Interquartile mean: more accurate than the median with only a dozen values. */
export const middleMean = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const rest = Math.floor(sorted.length / 4);
  const middle = sorted.slice(rest, sorted.length - rest);
  return middle.reduce((sum, value) => sum + value, 0) / middle.length;
};

/** Standard error of their mean. */
export const standardError = (values: readonly number[]): number => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  return Math.sqrt(variance / values.length);
};

export type Spent = { readonly ms: number; readonly cpuMs: number };

const cpuNow = (): number => {
  const usage = (
    globalThis as { process?: { cpuUsage?(): { user: number; system: number } } }
  ).process?.cpuUsage?.();
  return usage === undefined ? Number.NaN : (usage.user + usage.system) / 1000;
};

/** Clock and processor time of one task (processor time includes the engine's own helper threads). */
export const timed = async <T>(work: () => Promise<T> | T): Promise<Spent & { readonly value: T }> => {
  const cpu = cpuNow();
  const from = performance.now();
  const value = await work();
  return { value, ms: performance.now() - from, cpuMs: cpuNow() - cpu };
};

/** Medians over many runs. */
export const medians = (all: readonly Spent[]): Spent => ({
  ms: median(all.map(({ ms }) => ms)),
  cpuMs: median(all.map(({ cpuMs }) => cpuMs)),
});

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
