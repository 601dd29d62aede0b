/** Calls `tell` with the newest value of each key, at most once per frame. */
export const createFrameQueue = <K, V>(tell: (key: K, value: V) => void) => {
  const waiting = new Map<K, V>();
  let frame = 0;
  const flush = (): void => {
    cancelAnimationFrame(frame);
    frame = 0;
    const fresh = [...waiting];
    waiting.clear();
    for (const [key, value] of fresh) tell(key, value);
  };
  return {
    put: (key: K, value: V): void => {
      waiting.set(key, value);
      frame ||= requestAnimationFrame(flush);
    },
    flush,
  };
};
