/** Updates come no more often: a lone message shows at once, a flood ten times a second. */
const usualRestMs = 100;

const createRested = (update: () => void, restMs: number, start: (run: () => void) => void): (() => void) => {
  let isDue = false;
  let toldMs = Number.NEGATIVE_INFINITY;
  const run = (): void => {
    isDue = false;
    toldMs = performance.now();
    update();
  };
  return () => {
    if (isDue) return;
    isDue = true;
    const waitMs = toldMs + restMs - performance.now();
    if (waitMs <= 0) start(run);
    else setTimeout(() => start(run), waitMs);
  };
};

/** Calls `update` when told of something: at once after a rest, else when the rest is over. */
export const createRest = (update: () => void, restMs = usualRestMs): (() => void) =>
  createRested(update, restMs, (run) => run());

/** The same in a frame: for lists that are made anew. */
export const createPace = (update: () => void): (() => void) =>
  createRested(update, usualRestMs, (run) => requestAnimationFrame(run));
