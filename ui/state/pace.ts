/** Lists are made anew no more often: a lone message shows in the next frame, a flood ten times a second. */
const restMs = 100;

/** Calls `update` in a frame after it was told of something: in the next one after a rest, else when the rest is over. */
export const createPace = (update: () => void): (() => void) => {
  let isDue = false;
  let toldMs = 0;
  const run = (): void => {
    isDue = false;
    toldMs = performance.now();
    update();
  };
  return () => {
    if (isDue) return;
    isDue = true;
    const waitMs = toldMs + restMs - performance.now();
    if (waitMs <= 0) requestAnimationFrame(run);
    else setTimeout(() => requestAnimationFrame(run), waitMs);
  };
};
