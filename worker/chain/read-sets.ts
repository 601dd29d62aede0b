import type { Runtime } from '../executor/executor.ts';

/** The keys that a method of a code read last, which it will mostly read again. */
export type ReadSets = {
  of(runtime: Runtime, method: string): readonly Uint8Array[];
  keep(runtime: Runtime, method: string, keys: readonly Uint8Array[]): void;
};

/** Of one method; what it read first counts. */
const readSetBytes = 64 * 1024;

export const createReadSets = (): ReadSets => {
  const sets = new WeakMap<Runtime, Map<string, readonly Uint8Array[]>>();
  return {
    of: (runtime, method) => sets.get(runtime)?.get(method) ?? [],
    keep: (runtime, method, keys) => {
      const methods = sets.get(runtime) ?? new Map<string, readonly Uint8Array[]>();
      let left = readSetBytes;
      const kept = keys.filter((key) => {
        left -= key.length;
        return left >= 0;
      });
      sets.set(runtime, methods.set(method, kept));
    },
  };
};
