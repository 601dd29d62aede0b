import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import { callHttp } from '../../bridge/clients/test-clients.fixture.ts';
import { startServe } from '../../bridge/clients/test-process.fixture.ts';
import { type NetworkContext, type SetupOption, setupContext } from '../../src/testing/chopsticks.ts';

export const nextRuntime = fileURLToPath(
  new URL('../../public/tabnode-runtime-next.compact.compressed.wasm', import.meta.url),
);

/** The live chain of a test file: a development node with five blocks. */
export const useLiveChain = () => {
  let live: Awaited<ReturnType<typeof startServe>>;
  const open: NetworkContext[] = [];
  beforeAll(async () => {
    live = await startServe('--dev', '--seal', 'manual');
    for (let block = 0; block < 5; block++)
      await callHttp(live.ready.http, 'engine_createBlock', [true, true]);
  }, 60_000);
  afterAll(async () => {
    await Promise.all(open.map(({ teardown }) => teardown()));
    live.kill('SIGTERM');
    await live.ended;
  });
  return {
    ws: (): string => live.ready.ws,
    fork: async (option: Partial<SetupOption> = {}): Promise<NetworkContext> => {
      const context = await setupContext({ endpoint: live.ready.ws, ...option });
      open.push(context);
      return context;
    },
  };
};

/** The address and the free balance of an account. */
export const funded = (address: string, free: bigint | string = 10n ** 16n) => ({
  System: { Account: [[[address], { providers: 1, data: { free: `${free}` } }]] },
});
