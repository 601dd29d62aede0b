import { equalBytes } from '../bytes/bytes.ts';
import type { Backend } from '../state/backend.ts';
import type { Runtime } from './runtime.ts';
import { type ApiTarget, targetOf } from './runtime-api.ts';

/** Where a call runs. */
type State = { readonly backend: Backend; readonly runtime: Runtime };

type Read = readonly [key: Uint8Array, value: Uint8Array | null];

/** The same state, and the values read from it: null after any read that is not of one value of the main trie. */
const watch = (backend: Backend): { readonly seen: Backend; reads(): readonly Read[] | null } => {
  let reads: Read[] | null = [];
  const other =
    (run: (...args: never[]) => unknown) =>
    (...args: never[]): unknown => {
      reads = null;
      return run(...args);
    };
  const parts = Object.entries(backend).map(([name, part]) => [
    name,
    typeof part === 'function' ? other(part) : part,
  ]);
  const get = (key: Uint8Array): Uint8Array | null => {
    const value = backend.get(key);
    reads?.push([key.slice(), value]);
    return value;
  };
  return { seen: { ...(Object.fromEntries(parts) as Backend), get }, reads: () => reads };
};

const isUnchanged = (backend: Backend, [key, before]: Read): boolean => {
  const now = backend.get(key);
  return now === null || before === null ? now === before : equalBytes(now, before);
};

/**
 * A runtime call whose result is used again while the runtime and every value it read are the same: six reads
 * take 10 µs, a call 80. For calls of every block. The result is shared and must not be modified. Throws like
 * the call; errors are not kept.
 */
export const createCallMemo = <T>(call: (target: ApiTarget) => T): ((state: State) => T) => {
  let last: { readonly runtime: Runtime; readonly reads: readonly Read[]; readonly result: T } | null = null;
  return ({ backend, runtime }) => {
    if (last?.runtime === runtime && last.reads.every((read) => isUnchanged(backend, read)))
      return last.result;
    const { seen, reads } = watch(backend);
    const result = call(targetOf({ runtime, backend: seen }));
    const complete = reads();
    last = complete === null || backend.isTrial === true ? null : { runtime, reads: complete, result };
    return result;
  };
};
