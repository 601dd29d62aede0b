/**
 * Makes state that outlives the component that asks for it first: what is derived belongs to the component it is made
 * in, and would stand still once that one is gone. `end` ends what it derives, and fires the signal for all else.
 */
export const createLasting = <T extends object>(
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

/** Calls `save` when the window closes, and when the state ends before. */
export const saveAtEnd = (ended: AbortSignal, save: () => void): void => {
  addEventListener('pagehide', save, { signal: ended });
  ended.addEventListener('abort', save, { once: true });
};
