import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { concatBytes, textToBytes } from '../../worker/bytes/bytes.ts';
import { hexToBytes } from '../../worker/bytes/hex.ts';
import type { BlockHash } from '../../worker/codec/identity.ts';
import { createMemoryDatabase } from '../../worker/db/memory.ts';
import { nothingDeclared } from '../../worker/fork/base/declared.ts';
import { decodePack, encodePack } from '../../worker/fork/pack.ts';
import { createNode } from '../../worker/node.ts';
import { type DevNode, lastingDatabase, startDevNode } from '../rigs/dev-node.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { connectRpc } from '../rigs/rpc.ts';
import { originOf } from './chain-origin.ts';
import { rpcOrigin } from './rpc-origin.ts';

let live: DevNode;
let pack: Uint8Array;
let roots: readonly string[];
/** A signature is another one each time. */
let transfer: string;

const eve = new Uint8Array(32).fill(5);

type Source = { endpoints: readonly string[]; block?: string; pack?: Uint8Array };

const open = async (fork: Source, db = createMemoryDatabase(), origin = originOf(live.node)) => {
  const platform = { ...createTestPlatform({ db }), openOrigin: () => origin };
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

it('builds blocks even if the fork that was packed had built none', async () => {
  const fork = await open({ endpoints: ['ws://live'] });
  const fresh = hexToBytes(await fork.call<string>('dev_exportFork'));
  expect(fork.node.parts.chain.best().number).toBe(4);
  await fork.node.close();
  const opened = await open({ endpoints: [], pack: fresh });
  for (let block = 0; block < 12; block++) await opened.call('engine_createBlock', true, true);
  expect(opened.node.parts.chain.best().number).toBe(16);
  await opened.node.close();
});

it('clients find the genesis of the live chain without it', async () => {
  const fork = await open({ endpoints: [], pack });
  const genesis = await live.call('chain_getBlockHash', 0);
  expect(await fork.call('chain_getBlockHash', 0)).toBe(genesis);
  expect(await fork.call('chainSpec_v1_genesisHash')).toBe(genesis);
  await fork.node.close();
});

it('has the header of the parent of its base, and those below that were read without a gap', async () => {
  const opening = await open({ endpoints: [], pack });
  const parent = await live.call<string>('chain_getBlockHash', 3);
  expect(await opening.call('chain_getBlockHash', 3)).toBe(parent);
  expect(await opening.call('chain_getHeader', parent)).toEqual(await live.call('chain_getHeader', parent));
  const grand = await live.call<string>('chain_getBlockHash', 2);
  expect(await opening.call('chain_getBlockHash', 2)).toBe(grand);
  await expect(opening.call('chain_getHeader', grand)).rejects.toThrow('was never read');
  await opening.node.close();
  const online = await open({ endpoints: ['ws://live'], pack });
  for (const number of [2, 1])
    await online.call('chain_getHeader', await live.call<string>('chain_getBlockHash', number));
  const more = hexToBytes(await online.call<string>('dev_exportFork'));
  await online.node.close();
  const offline = await open({ endpoints: [], pack: more });
  for (const number of [3, 2, 1])
    expect(
      await offline.call('chain_getHeader', await offline.call<string>('chain_getBlockHash', number)),
    ).toMatchObject({ number: `0x${number}` });
  await offline.node.close();
});

it('of the version before, without headers below its base, opens as well', async () => {
  const { blake2b256 } = live.node.parts.crypto;
  // Its last byte before the checksum says that there are none.
  const without = encodePack(blake2b256, { ...decodePack(blake2b256, pack), below: [] }).slice(0, -33);
  without[textToBytes('tabnode fork ').length] = '2'.charCodeAt(0);
  const older = concatBytes(without, blake2b256(without));
  expect(decodePack(blake2b256, older)).toEqual({ ...decodePack(blake2b256, pack), below: [] });
  const fork = await open({ endpoints: [], pack: older });
  expect(await build(fork)).toEqual(roots);
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
    const db = lastingDatabase();
    await expect(open({ endpoints: [], pack: bytes }, db)).rejects.toMatchObject({
      code: 'BadValue',
      message: expect.stringMatching(
        /^This is (not a pack of a fork, or it is damaged: |a pack of a fork of another version: )/,
      ),
    });
    for (const store of ['meta', 'headers', 'nodes'] as const) expect(await db.range(store)).toEqual([]);
  };
  await refused(textToBytes('tabnode fork 9\n'));
  await refused(textToBytes('{"name":"Polkadot"}'));
  // No UTF-8 in the place of the version.
  await refused(concatBytes(textToBytes('tabnode fork '), Uint8Array.of(0xb2, 0x1b)));
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

it('with a right checksum is refused with a code, unless it is a pack', async () => {
  const { blake2b256 } = live.node.parts.crypto;
  const body = pack.subarray(0, -32);
  const isPack = (changed: Uint8Array): boolean => {
    try {
      decodePack(blake2b256, concatBytes(changed, blake2b256(changed)));
      return true;
    } catch (error) {
      expect(error).toMatchObject({
        code: 'BadValue',
        message: expect.stringMatching(/not a pack|another version/),
      });
      return false;
    }
  };
  expect(isPack(body)).toBe(true);
  const { record, base } = decodePack(blake2b256, pack);
  const headLength = encodePack(blake2b256, {
    record,
    base,
    nodes: [],
    declared: nothingDeclared,
    below: [],
  }).length;
  fc.assert(
    fc.property(fc.nat(headLength), fc.nat(7), (at, bit) => {
      const changed = body.slice();
      changed[at] = (changed[at] as number) ^ (1 << bit);
      isPack(changed);
    }),
    { numRuns: 300 },
  );
  const refused = (changes: Partial<typeof record>, block = base): void => {
    const rest = { nodes: [], declared: nothingDeclared, below: [] };
    const other = { record: { ...record, ...changes }, base: block, ...rest };
    expect(isPack(encodePack(blake2b256, other).subarray(0, -32))).toBe(false);
  };
  refused({ base: { ...record.base, number: 9 } });
  refused({ genesisHash: '0x00' as BlockHash });
  refused({ name: 7 as unknown as string });
  refused({ chosenAs: 'x' as 'best' });
  refused({}, { ...base, extrinsics: base.extrinsics.slice(1) });
});

it('is not read on from a chain with another genesis block, and not opened over another fork', async () => {
  const other = await startDevNode({ chain: 'local_testnet' });
  const origin = await rpcOrigin(other.node, { genesisHash: hexToBytes(live.node.parts.chain.genesisHash) });
  const fork = await open({ endpoints: ['ws://other'], pack }, createMemoryDatabase(), origin);
  expect(await build(fork)).toEqual(roots);
  const { error } = await fork.ask('state_getStorage', live.accountKey(live.pair('//Bob').publicKey));
  expect(error).toMatchObject({ data: 'EndpointUnfit' });
  await fork.node.close();
  await other.stop();
  const db = lastingDatabase();
  await (await open({ endpoints: ['ws://live'], block: '3' }, db)).node.close();
  const before = await db.range('meta');
  await expect(open({ endpoints: [], pack }, db)).rejects.toMatchObject({
    code: 'BadSpec',
    message: expect.stringContaining('at block #3'),
  });
  expect(await db.range('meta')).toEqual(before);
});

it('is of a fork only', async () => {
  await expect(live.call('dev_exportFork')).rejects.toThrow('no fork');
});
