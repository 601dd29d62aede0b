/** How long a thread stays awake after a client's text, ms. */
const awakeMs = 0.5;

/**
 * Keeps a thread from falling asleep when called, for a moment: a client that asks one thing after the other
 * has its next text there by then, and waking a thread takes longer than most answers (docs/decisions/0013).
 * `turn` runs a function in the thread's next turn, after what came in; `now` tells milliseconds.
 */
export const createAwake = (turn: (run: () => void) => void, now: () => number): (() => void) => {
  let until = 0;
  let isAwake = false;
  const look = (): void => {
    isAwake = now() < until;
    if (isAwake) turn(look);
  };
  return () => {
    until = now() + awakeMs;
    if (isAwake) return;
    isAwake = true;
    turn(look);
  };
};
