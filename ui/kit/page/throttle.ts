/** Minimum time between updates: a lone message shows immediately, a flood ten times a second. */
const usualRestMs = 100;
/** The same for blocks: each update reloads a list and a tree. */
const blocksRestMs = 200;
/** The same while the node is busy with a flood of blocks, such as an import. */
const floodRestMs = 1000;
/** Blocks that come sooner after one another may be a flood. */
const floodGapMs = 150;
/** An update takes longer if the node is busy. */
const busyMs = 50;

/** When a call was made and an update ran, in milliseconds. */
type Times = { readonly nowMs: number; readonly ranMs: number };
type Start = (run: () => void) => void;

/** `waitMs` returns how long to wait; it is asked at each call, and again after a wait. */
const createThrottled = (
  update: () => void,
  waitMs: (times: Times) => number,
  start: Start = (run) => run(),
): (() => void) => {
  let isDue = false;
  let ranMs = Number.NEGATIVE_INFINITY;
  const run = (): void => {
    isDue = false;
    ranMs = performance.now();
    update();
  };
  const runOrWait = (): void => {
    const ms = waitMs({ nowMs: performance.now(), ranMs });
    if (ms <= 0) start(run);
    else setTimeout(runOrWait, ms);
  };
  return () => {
    if (isDue) return;
    isDue = true;
    runOrWait();
  };
};

const rest =
  (restMs: number) =>
  ({ nowMs, ranMs }: Times): number =>
    ranMs + restMs - nowMs;

/** Throttles `update`: it runs immediately after a pause, otherwise at the end of the interval. */
export const throttle = (update: () => void, restMs = usualRestMs): (() => void) =>
  createThrottled(update, rest(restMs));

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
  createThrottled(update, rest(usualRestMs), (run) => requestAnimationFrame(run));

/**
 * Like `throttle`, called with each block. While blocks keep coming and the node is slow to respond, `update`
 * runs once a second, and once they stop.
 */
export const throttleBlocks = (update: () => unknown): (() => void) => {
  let calledMs = Number.NEGATIVE_INFINITY;
  let isQuick = false;
  let isBusy = false;
  const run = async (): Promise<void> => {
    const fromMs = performance.now();
    await update();
    isBusy = performance.now() - fromMs > busyMs;
  };
  const throttled = createThrottled(
    () => void run(),
    (times) => {
      const restMs = rest(blocksRestMs)(times);
      if (restMs > 0 || !isQuick || !isBusy) return restMs;
      return Math.min(calledMs + floodGapMs - times.nowMs, rest(floodRestMs)(times));
    },
  );
  return () => {
    const nowMs = performance.now();
    isQuick = nowMs - calledMs < floodGapMs;
    calledMs = nowMs;
    throttled();
  };
};
