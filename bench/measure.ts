export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
};

export type Spent = { readonly ms: number; readonly cpuMs: number };

const cpuNow = (): number => {
  const usage = (
    globalThis as { process?: { cpuUsage?(): { user: number; system: number } } }
  ).process?.cpuUsage?.();
  return usage === undefined ? Number.NaN : (usage.user + usage.system) / 1000;
};

/** Clock and processor time of one piece of work (processor time counts the engine's own helper threads too). */
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
