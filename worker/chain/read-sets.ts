import type { Runtime } from '../executor/executor.ts';

/** The keys that a method of a runtime read last time. It will mostly read them again. */
export type ReadSets = {
  of(runtime: Runtime, method: string): readonly Uint8Array[];
  keep(runtime: Runtime, method: string, keys: readonly Uint8Array[]): void;
};

/** For one method: the first keys read, without long ones, so that they take 64 KiB at most. */
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
