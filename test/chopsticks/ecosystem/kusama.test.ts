import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { callHttp } from '../../../bridge/clients/test-clients.fixture.ts';
import { startServe } from '../../../bridge/clients/test-process.fixture.ts';
import { fixturePath, hasFixtures } from '../../rigs/fixtures.ts';
import { accountTests } from './accounts.ts';
import { authorTests } from './author.ts';
import { governanceTests } from './governance.ts';
import { multisigTests } from './multisig.ts';
import { preimageTests } from './preimage.ts';
import { proxyTests } from './proxy.ts';
import { schedulerTests } from './scheduler.ts';
import { type Client, setupContext } from './testing.ts';
import { vestingTests } from './vesting.ts';

// Tests of the kinds that the Fellowship's runtimes are tested with, on a fork of a local Kusama. Their snapshots were recorded with
// chopsticks: `npm run test:chopsticks` runs the same files with its testing package.

describe.skipIf(!hasFixtures)('kusama', () => {
  let live: Awaited<ReturnType<typeof startServe>>;
  let client: Client;
  let base: string;
  beforeAll(async () => {
    const chain = fixturePath('fork/kusama-local-1000000.json');
    live = await startServe('--chain', chain, '--tmp', '--seal', 'manual', '--alice', '--bob');
    for (let block = 0; block < 2; block++)
      await callHttp(live.ready.http, 'engine_createBlock', [true, true]);
    client = await setupContext({ endpoint: live.ready.ws });
    base = (await client.api.rpc.chain.getHeader()).hash.toHex();
  }, 120_000);
  // Each test has a block of its own, whose state it may edit, and numbers do not depend on the tests before.
  beforeEach(async () => {
    await client.dev.setHead(base);
    await client.dev.newBlock();
  });
  afterAll(async () => {
    await client.teardown();
    live.kill('SIGTERM');
    await live.ended;
  });

  for (const tests of [
    accountTests,
    proxyTests,
    multisigTests,
    preimageTests,
    schedulerTests,
    vestingTests,
    governanceTests,
    authorTests,
  ])
    tests(() => client);
});
