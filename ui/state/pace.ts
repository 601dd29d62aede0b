/** Updates come no more often: a lone message shows at once, a flood ten times a second. */
const usualRestMs = 100;
/** The same for blocks: each time costs the page a list and a tree, and an import a part of a core. */
export const blocksRestMs = 200;

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

/** Takes the last of the values that came: at once after a rest, else when the rest is over. */
export const createLatest = <T>(take: (value: T) => void, restMs = usualRestMs): ((value: T) => void) => {
  let last: { readonly value: T } | null = null;
  const rested = createRest(() => {
    if (last !== null) take(last.value);
    last = null;
  }, restMs);
  return (value) => {
    last = { value };
    rested();
  };
};

/** The same in a frame: for lists that are made anew. */
export const createPace = (update: () => void): (() => void) =>
  createRested(update, usualRestMs, (run) => requestAnimationFrame(run));
