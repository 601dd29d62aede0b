/** How long a thread stays awake after a client's message, in ms. */
const awakeMs = 0.5;

/**
 * Returns a function that keeps the thread awake for a moment. A client that sends requests one at a time
 * sends the next one within that time, and waking a thread takes longer than most responses
 * (docs/decisions/0013). `turn` runs a function in the next turn of the event loop, after pending input;
 * `now` returns milliseconds.
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
