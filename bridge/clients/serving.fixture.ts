import { afterAll, beforeAll, expect } from 'vitest';
import { callHttp } from './test-clients.fixture.ts';
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

/** A `tabnode serve` of the default chain with this many blocks, which builds more when it is told to. */
export const servingBlocks = (blocks: number): (() => Served) => {
  const node = serving('--dev', '--seal', 'manual');
  beforeAll(async () => {
    for (let block = 0; block < blocks; block++)
      await callHttp(node().ready.http, 'engine_createBlock', [true, true]);
  });
  return node;
};
