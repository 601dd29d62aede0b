import type { Runtime } from '../../executor/executor.ts';

/** The keys that a runtime method read last time. It is likely to read most of them again. */
export type ReadSets = {
  of(runtime: Runtime, method: string): readonly Uint8Array[];
  keep(runtime: Runtime, method: string, keys: readonly Uint8Array[]): void;
};

/** Limit per method: the first keys read, without long ones, take at most 64 KiB. */
const keptKeys = 512;
const longestKey = 128;

export const createReadSets = (): ReadSets => {
  const sets = new WeakMap<Runtime, Map<string, readonly Uint8Array[]>>();
  return {
    of: (runtime, method) => sets.get(runtime)?.get(method) ?? [],
    keep: (runtime, method, keys) => {
      const methods = sets.get(runtime) ?? new Map<string, readonly Uint8Array[]>();
      const kept = keys.filter(({ length }) => length <= longestKey).slice(0, keptKeys);
      sets.set(runtime, methods.set(method, kept));
    },
  };
};
