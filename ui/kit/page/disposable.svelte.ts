/**
 * Creates state that outlives the component that first requests it. Without a root, its deriveds would belong
 * to that component and stop updating when it is destroyed. `end` stops them and aborts the signal.
 */
export const createDisposable = <T extends object>(
  create: (ended: AbortSignal) => T,
): { readonly state: T; readonly end: () => void } => {
  const ending = new AbortController();
  const made: T[] = [];
  const endDerived = $effect.root(() => {
    made.push(create(ending.signal));
  });
  return {
    state: made[0] as T,
    end: () => {
      ending.abort();
      endDerived();
    },
  };
};

/** Calls `save` when the window closes, and when the state ends. */
export const saveAtEnd = (ended: AbortSignal, save: () => void): void => {
  addEventListener('pagehide', save, { signal: ended });
  ended.addEventListener('abort', save, { once: true });
};
