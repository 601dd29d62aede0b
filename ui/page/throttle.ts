/** Minimum time between updates: a lone message shows immediately, a flood ten times a second. */
const usualRestMs = 100;
/** The same for blocks: each update reloads a list and a tree, while imports need the CPU too. */
export const blocksRestMs = 200;

const createThrottled = (
  update: () => void,
  restMs: number,
  start: (run: () => void) => void,
): (() => void) => {
  let isDue = false;
  let ranMs = Number.NEGATIVE_INFINITY;
  const run = (): void => {
    isDue = false;
    ranMs = performance.now();
    update();
  };
  return () => {
    if (isDue) return;
    isDue = true;
    const waitMs = ranMs + restMs - performance.now();
    if (waitMs <= 0) start(run);
    else setTimeout(() => start(run), waitMs);
  };
};

/** Throttles `update`: it runs immediately after a pause, otherwise at the end of the interval. */
export const throttle = (update: () => void, restMs = usualRestMs): (() => void) =>
  createThrottled(update, restMs, (run) => run());

/** Throttles values: passes on the latest, immediately after a pause, otherwise at the end of the interval. */
export const throttleValue = <T>(take: (value: T) => void, restMs = usualRestMs): ((value: T) => void) => {
  let last: { readonly value: T } | null = null;
  const rested = throttle(() => {
    if (last !== null) take(last.value);
    last = null;
  }, restMs);
  return (value) => {
    last = { value };
    rested();
  };
};

/** Like `throttle`, within an animation frame: for lists that are rendered again. */
export const throttleFrame = (update: () => void): (() => void) =>
  createThrottled(update, usualRestMs, (run) => requestAnimationFrame(run));
