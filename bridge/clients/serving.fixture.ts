import { afterAll, beforeAll, expect } from 'vitest';
import { startServe } from './test-process.fixture.ts';

export type Served = Awaited<ReturnType<typeof startServe>>;

/** A `tabnode serve` for the tests of a file or a `describe`. It must exit cleanly when it is stopped. */
export const serving = (...args: readonly string[]): (() => Served) => {
  let node: Served;
  beforeAll(async () => {
    node = await startServe(...args);
  });
  afterAll(async () => {
    node.kill('SIGTERM');
    expect((await node.ended).code).toBe(0);
  });
  return () => node;
};
