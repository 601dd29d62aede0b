/** Milliseconds since the thread began, whatever happens to the clock of the machine. */
export const elapsed = (): number => performance.now();

/** A clock that starts with the given one and does not jump when the clock of the machine is set. */
export const createSteady = (now: () => number): (() => number) => {
  const beganMs = now() - elapsed();
  return () => beganMs + elapsed();
};
