import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hexToBytes } from '../../worker/bytes/hex.ts';
import { createNode } from '../../worker/node.ts';
import { type DevNode, startDevNode } from '../rigs/dev-node.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { connectRpc } from '../rigs/rpc.ts';
import { originOf } from './chain-origin.ts';

let live: DevNode;
let pack: Uint8Array;
let roots: readonly string[];
/** A signature is another one each time. */
let transfer: string;

const eve = new Uint8Array(32).fill(5);

const open = async (fork: { endpoints: readonly string[]; block?: string; pack?: Uint8Array }) => {
  const platform = { ...createTestPlatform(), openOrigin: () => originOf(live.node) };
  const node = await createNode(platform, testConfig({ fork }, { keys: [] }));
  return { node, ...connectRpc(node) };
};

/** The state roots of two blocks, the first with a transfer. Blocks without a seal are the same each time. */
const build = async ({ call }: Awaited<ReturnType<typeof open>>): Promise<string[]> => {
  await call('author_submitExtrinsic', transfer);
  const found: string[] = [];
  for (let block = 0; block < 2; block++) {
    const { hash } = await call<{ hash: string }>('engine_createBlock', true, true);
    found.push((await call<{ stateRoot: string }>('chain_getHeader', hash)).stateRoot);
  }
  return found;
};

beforeAll(async () => {
  live = await startDevNode();
  for (let block = 0; block < 4; block++) await live.call('engine_createBlock', true, true);
  transfer = await live.transfer('//Alice', eve, 10n ** 13n, 0);
  const fork = await open({ endpoints: ['ws://live'] });
  roots = await build(fork);
  pack = hexToBytes(await fork.call<string>('dev_exportFork'));
  await fork.node.close();
});
afterAll(() => live.stop());

it('opens without the live chain, and builds the same blocks', async () => {
  const fork = await open({ endpoints: [], pack });
  expect(fork.node.parts.chain.base).toMatchObject({ hash: live.best().hash, number: 4 });
  expect(await build(fork)).toEqual(roots);
  // The same pack again, of a fork that was opened from one.
  expect(hexToBytes(await fork.call<string>('dev_exportFork')).length).toBe(pack.length);
  await fork.node.close();
});

it('has what was read, and no more: the rest is one coded error', async () => {
  const fork = await open({ endpoints: [], pack });
  const bob = live.accountKey(live.pair('//Bob').publicKey);
  await expect(fork.call('state_getStorage', bob)).rejects.toThrow('never read');
  await fork.node.close();
  const online = await open({ endpoints: ['ws://live'], pack });
  expect(await online.call('state_getStorage', bob)).toBe(await live.call('state_getStorage', bob));
  await online.node.close();
});

it('is refused whole if one bit differs, or if it is cut off or foreign', async () => {
  const refused = async (bytes: Uint8Array): Promise<void> => {
    await expect(open({ endpoints: [], pack: bytes })).rejects.toMatchObject({
      code: 'BadValue',
      message: expect.stringMatching(/^This is not a pack of a fork, or it is damaged: /),
    });
  };
  await fc.assert(
    fc.asyncProperty(fc.nat(pack.length - 1), fc.nat(7), async (at, bit) => {
      const damaged = pack.slice();
      damaged[at] = (damaged[at] as number) ^ (1 << bit);
      await refused(damaged);
    }),
    { numRuns: 30 },
  );
  await fc.assert(
    fc.asyncProperty(fc.nat(pack.length - 1), (length) => refused(pack.slice(0, length))),
    { numRuns: 20 },
  );
  await expect(open({ endpoints: [], pack, block: '3' })).rejects.toMatchObject({ code: 'BadSpec' });
});

it('is of a fork only', async () => {
  await expect(live.call('dev_exportFork')).rejects.toThrow('no fork');
});
