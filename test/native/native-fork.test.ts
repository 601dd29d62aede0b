import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ForkStatus } from '../../src/protocol/fork-status.ts';
import { concatBytes } from '../../worker/bytes/bytes.ts';
import type { BlockHash } from '../../worker/codec/identity.ts';
import { encodeU64 } from '../../worker/codec/inherent-data.ts';
import { encodeSignedBlock, type SignedBlock } from '../../worker/codec/signed-block.ts';
import { readChainTime } from '../../worker/dev/dev.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { lastingDatabase } from '../rigs/dev-node.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { connectRpc } from '../rigs/rpc.ts';
import { sealOn } from '../rigs/seal-on.ts';
import { type Calls, createCalls } from './limit-calls.ts';
import { type Sealing, startSealing, succeeds } from './native-pair.ts';
import { hasNativeNode, type NativeNode, unpackNativeNode } from './native-rig.ts';

const kept = 16;
/** More blocks than the live chain keeps states of. */
const later = 40;

describe.skipIf(!hasNativeNode)('a fork of a native node (shared native-node)', () => {
  let native: NativeNode;
  let spec: string;
  /** A node of the same chain, whose client signs. */
  let twin: Node;
  let calls: Calls;
  beforeAll(async () => {
    native = await unpackNativeNode();
    twin = await createNode(createTestPlatform(), testConfig('development'));
    calls = await createCalls(twin);
    spec = await native.writeSpec(twin);
  }, 240_000);
  afterAll(async () => {
    await calls?.close();
    await twin?.close();
    native?.close();
  });

  const pruning = ['--state-pruning', `${kept}`, '--blocks-pruning', 'archive'];
  const start = () => startSealing(native, spec, ...pruning);
  const to = (index: number) => new Uint8Array(32).fill(index);
  const pay = (nonce: number, index: number, suri = '//Alice'): string =>
    calls.sign(calls.pick('balances', 'transferAllowDeath', to(index), 10n ** 13n), nonce, suri);

  const openFork = async (theirs: Sealing, db = lastingDatabase()) => {
    const fork = { endpoints: [`ws://${theirs.address}`], block: 'best' };
    const platform = createTestPlatform({ db, now: Date.now });
    const node = await createNode(platform, testConfig({ fork }));
    return { node, errors: platform.errors, ...connectRpc(node) };
  };

  /** The live chain's blocks, which the fork reads there up to its base, and its own, as `export-blocks --binary` writes them. */
  const writeBlocks = async ({ parts: { chain } }: Node, name: string): Promise<string> => {
    const blocks: Uint8Array[] = [];
    for (let number = 1; number <= chain.best().number; number++) {
      const hash = (await chain.loadHashAt(number)) as BlockHash;
      blocks.push(encodeSignedBlock((await chain.loadBlock(hash)) as SignedBlock));
    }
    return native.write(`${name}.bin`, concatBytes(encodeU64(BigInt(blocks.length)), ...blocks));
  };

  const expectImported = async (node: Node, name: string): Promise<void> => {
    const place = ['--chain', spec, '--base-path', join(native.folder, name)];
    const file = await writeBlocks(node, name);
    await succeeds(native.command('import-blocks', ...place, '--binary', file));
    const { hash, number } = node.parts.chain.best();
    const info = await native.command('chain-info', ...place);
    expect(info).toContain(`"best_hash": "${hash}"`);
    expect(info).toContain(`"best_number": ${number}`);
  };

  it('the live chain discards the base after the first block: reads are right or refused, and the fork goes on', async () => {
    const theirs = await start();
    for (let nonce = 0; nonce < 5; nonce++) await theirs.include(pay(nonce, 10 + nonce));
    const { node, ask, call, errors } = await openFork(theirs);
    const { chain, author } = node.parts;
    const base = chain.best();
    const at = base.hash;
    // The right values, while the live chain still has them.
    const keys = await theirs.call<string[]>('state_getKeysPaged', '0x', 1000, null, at);
    const values = new Map<string, string | null>();
    for (const key of keys) values.set(key, await theirs.call('state_getStorage', key, at));
    await sealOn(node);

    // It goes on with other blocks, and changes accounts of the base.
    for (let nonce = 5; nonce < 10; nonce++) await theirs.include(pay(nonce, 60 + nonce));
    // States are discarded as blocks are finalized.
    for (let block = 0; block < later; block++) await theirs.call('engine_createBlock', true, true, null);
    await expect(theirs.call('state_getStorage', keys[0], at)).rejects.toThrow('discarded');

    let right = 0;
    let refused = 0;
    for (const [key, value] of values) {
      const { result, error } = await ask('state_getStorage', key, at);
      if (error === undefined) {
        expect([key, result]).toEqual([key, value]);
        right += 1;
      } else {
        expect(error).toMatchObject({ code: 4003, data: 'NotCached' });
        refused += 1;
      }
    }
    expect(right).toBeGreaterThan(refused);
    expect(refused).toBeGreaterThan(0);

    // Blocks need what was read, or what has not changed since. One that needs what is lost is dropped; another slot, with
    // another kind of claim, may not need it.
    const build = async (): Promise<void> => {
      for (let tries = 0; tries < 50; tries++) {
        const before = chain.best().hash;
        const sealed = await author.seal({ createEmpty: true, finalize: false });
        if (sealed.ok) return;
        expect(sealed.code).toBe('NotCached');
        expect(chain.best().hash).toBe(before);
        await call('dev_timeTravel', ((await readChainTime(node.parts)) ?? 0) + 6000 * (2 + tries));
      }
      throw new Error('No block can be built');
    };
    for (let block = 0; block < 20; block++) await build();
    expect(chain.best().number).toBe(base.number + 21);

    // The account of Alice has changed on the live chain, and was not read before: the block is dropped whole.
    const best = chain.best().hash;
    const dropped = await ask('dev_newBlock', { transactions: [pay(5, 200)] });
    expect(dropped.error).toMatchObject({ data: 'NotCached', message: expect.stringContaining(at) });
    expect(chain.best().hash).toBe(best);
    await build();
    expect(chain.best().number).toBe(base.number + 22);
    const { result } = await ask('dev_status');
    expect((result as { fork: ForkStatus }).fork).toMatchObject({ lies: 0 });
    expect(errors).toEqual([]);
    await expectImported(node, 'pruned');
    await node.close();
    await theirs.stop();
  }, 240_000);

  it('imports the sealed blocks of a fork: transfers, a removed account, two epochs', async () => {
    const theirs = await start();
    for (let nonce = 0; nonce < 3; nonce++) await theirs.include(pay(nonce, 10 + nonce));
    const { node, call, errors } = await openFork(theirs);
    for (let block = 0; block < 20; block++) {
      const transactions = block % 2 === 0 ? [pay(3 + block / 2, 90 + block)] : [];
      if (block === 5)
        transactions.push(calls.sign(calls.pick('balances', 'transferAll', to(10), false), 0, '//Ferdie'));
      if (block === 10) {
        const now = (await readChainTime(node.parts)) ?? 0;
        await call('dev_timeTravel', now + 2 * 3_600_000);
      }
      await call('dev_newBlock', { transactions });
    }
    expect(errors).toEqual([]);
    await expectImported(node, 'sealed');
    await node.close();
    await theirs.stop();
  }, 240_000);
});
