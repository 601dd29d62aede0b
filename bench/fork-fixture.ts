import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ApiPromise } from '@polkadot/api';
import { Keyring } from '@polkadot/keyring';
import { cryptoWaitReady } from '@polkadot/util-crypto';
import { sendTransfer } from '../examples/dapp/transfer.ts';
import { makePack } from '../examples/fork/make-pack.ts';
import { polkadotJsProvider } from '../src/providers/polkadot-js.ts';
import type { TabNode } from '../src/start.ts';
import { nodeFixtures } from '../src/testing/vitest.ts';
import type { Line } from './figure.ts';
import { median, timed } from './measure.ts';

const tests = 20;
const unit = 1_000_000_000_000n;

/** A test as in `examples/fork`: from a fresh fork to the event of a transfer. */
const runTest = async (api: ApiPromise, restore: () => Promise<unknown>): Promise<void> => {
  await restore();
  const alice = new Keyring({ type: 'sr25519' }).addFromUri('//Alice');
  const bob = new Keyring({ type: 'sr25519' }).addFromUri('//Bob');
  const events: string[] = [];
  await sendTransfer(api, alice, bob.address, unit, () => undefined);
  const records = (await api.query['system']?.['events']?.()) as unknown as Iterable<{
    readonly event: { readonly section: string; readonly method: string };
  }>;
  for (const { event } of records) events.push(`${event.section}.${event.method}`);
  if (!events.includes('balances.Transfer')) throw new Error(`no transfer among ${events.join()}`);
};

/** The fixtures of `tabnode/testing/vitest` on a pack, with polkadot-js as client, as the tests of an ecosystem have it. */
export const measureFixture = async (): Promise<Line[]> => {
  await cryptoWaitReady();
  const folder = mkdtempSync(join(tmpdir(), 'tabnode-bench-pack-'));
  const pack = pathToFileURL(join(folder, 'development.pack'));
  try {
    await makePack(pack);
    const fixtures = nodeFixtures({
      fork: { pack },
      dialect: 'polkadot-sdk',
      finality: 'instant',
      prepare: async (node) => void (await node.rpc.dev_newBlock({ options: { count: 2 } })),
    });
    const spent: number[] = [];
    const from = performance.now();
    const inFile = async (startedNode: TabNode): Promise<void> => {
      const api = await ApiPromise.create({ provider: polkadotJsProvider(startedNode), noInitWarn: true });
      const restore = (): Promise<void> => fixtures.node({ startedNode }, async () => undefined);
      await runTest(api, restore);
      spent.push(performance.now() - from);
      for (let test = 1; test < tests; test++) spent.push((await timed(() => runTest(api, restore))).ms);
      await api.disconnect();
    };
    await fixtures.startedNode[0]({}, inFile);
    const [first = 0, ...later] = spent;
    return [
      {
        name: 'fork: a test on a pack, from its start to the event of a transfer',
        value: median(later),
        unit: 'ms',
        budget: 150,
        note: `median of ${later.length}, most ${Math.max(...later).toFixed(0)}; the first, with the node and the client, ${first.toFixed(0)} ms`,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
};
