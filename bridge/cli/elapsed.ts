/**
 * Milliseconds that have passed, for time limits: unlike the date, they do not jump when the clock of the machine is
 * set.
 */
export const elapsedMs = (): number => performance.now();
