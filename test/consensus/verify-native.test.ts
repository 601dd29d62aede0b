import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Keyring } from '@polkadot/keyring';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signTransfers } from '../../bench/signer.ts';
import type { SignedBlockJson } from '../../src/protocol/node.ts';
import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import { headerNextEpoch, headerPreDigest } from '../../worker/consensus/babe/codec.ts';
import type { Node } from '../../worker/node.ts';
import { readChildRoots, storingContract } from '../chain/storing-contract.ts';
import { hasNativeNode, type NativeNode, unpackNativeNode } from '../native/native-rig.ts';
import { openApi } from '../rigs/api.ts';
import { loadNextRuntime } from '../rigs/platform.ts';
import { openPort } from '../rigs/ports.ts';
import { sealOn } from '../rigs/seal-on.ts';
import type { ChainVectors } from '../vectors/make.ts';
import { openAt } from './verify-rig.ts';

const keys = ['//Alice', '//Bob'];
/** Early enough that blocks sealed faster than real time stay behind every clock. */
const clock = { startMs: Date.UTC(2025, 5, 15) };

const submit = async (node: Node, texts: readonly string[]): Promise<void> => {
  for (const text of texts)
    expect(await node.parts.pool.submit(hexToBytes(text), 1)).toMatchObject({ ok: true });
};

/** A runtime upgrade by sudo, in a form that the pool accepts. */
const signUpgrade = async (node: Node, nonce: number): Promise<string> => {
  const { api, close } = await openApi(node);
  const alice = new Keyring({ type: 'sr25519' }).addFromUri('//Alice');
  const code = api.tx['system']?.['setCodeWithoutChecks']?.(bytesToHex(await loadNextRuntime()));
  const signed = await api.tx['sudo']?.['sudo']?.(code as never).signAsync(alice, { nonce, era: 0 });
  await close();
  return signed?.toHex() as string;
};

const contractCalls = 20;

/**
 * Submits the contract, or that many calls to it. //Ferdie signs nothing else, so his first nonce is given.
 */
const useContract = async (node: Node, nonce: number): Promise<void> => {
  const { api, close } = await openApi(node);
  const { instantiate, find, store } = storingContract(api);
  const ferdie = new Keyring({ type: 'sr25519' }).addFromUri('//Ferdie');
  const contract = nonce === 0 ? null : await find();
  const inputs = Array.from({ length: contractCalls }, (_, index) =>
    new Uint8Array(1 + index * 3).fill(nonce + index),
  );
  const calls =
    contract === null ? [instantiate()] : inputs.map((input) => store(contract, bytesToHex(input)));
  for (const [index, call] of calls.entries()) {
    await call.signAsync(ferdie, { nonce: nonce + index, era: 0 });
    await submit(node, [call.toHex()]);
  }
  await close();
};

describe.skipIf(!hasNativeNode)('compared with a native polkadot-sdk node (shared native-node)', () => {
  let native: NativeNode;
  beforeAll(async () => {
    native = await unpackNativeNode();
  }, 60_000);
  afterAll(() => native.close());

  /** Imports our chain with the native node; returns the number of blocks, and its best block. */
  const importNatively = async (node: Node, name: string): Promise<string> => {
    const port = openPort(node);
    const digits = await port.request('dev_exportChain', ['binary']);
    port.shut();
    const file = native.write(`${name}.bin`, hexToBytes(digits as string));
    const place = ['--chain', await native.writeSpec(node), '--base-path', join(native.folder, name)];
    const log = await native.command('import-blocks', ...place, '--binary', file);
    expect(log).toContain(`Imported ${node.parts.chain.best().number} blocks`);
    return native.command('chain-info', ...place);
  };

  it('it imports our blocks: both authorities, six epochs, 2,000 transfers, an upgrade, a child trie', async () => {
    const node = await openAt(Date.now(), 'local_testnet', { keys, clock });
    const { chain } = node.parts;
    const transfers = await signTransfers(node, 2000, { senders: 5 });
    const roots = new Set<string>();
    const specs = new Set<number>();
    for (let number = 1; number <= 120; number++) {
      await submit(node, transfers.slice((number - 1) * 34, number * 34));
      if (number === 70) await submit(node, [await signUpgrade(node, 400)]);
      // Before and after the upgrade.
      if (number === 3) await useContract(node, 0);
      if (number === 4) await useContract(node, 1);
      if (number === 90) await useContract(node, 1 + contractCalls);
      await sealOn(node);
      for (const [, root] of await readChildRoots(node)) roots.add(root);
      specs.add((await chain.runtimeAt(chain.best().hash)).version.specVersion);
    }
    const extrinsics = new Set<string>();
    const authors = new Set<number | undefined>();
    let epochs = 0;
    for (let number = 1; number <= 120; number++) {
      const block = await chain.loadBlock((await chain.loadHashAt(number)) as never);
      if (block === null) throw new Error(`there is no block #${number}`);
      authors.add(headerPreDigest(block.header)?.authority);
      if (headerNextEpoch(block.header) !== null) epochs++;
      for (const extrinsic of block.extrinsics) extrinsics.add(bytesToHex(extrinsic));
    }
    expect(authors).toEqual(new Set([0, 1]));
    expect(transfers.filter((transfer) => extrinsics.has(transfer))).toHaveLength(2000);
    // The roots after deployment and after each of two batches of calls; the runtimes before and after the
    // upgrade.
    expect([roots.size, specs.size, epochs]).toEqual([3, 2, 6]);
    expect(await importNatively(node, 'ours')).toContain(chain.best().hash);
    await node.close();
  }, 180_000);

  it('it imports the chain of test/vectors', async () => {
    const path = new URL('../vectors/chain.json', import.meta.url);
    const { blocks } = JSON.parse(readFileSync(path, 'utf8')) as ChainVectors;
    const node = await openAt(Date.now(), 'local_testnet', { keys: [] });
    for (const { block } of blocks)
      await node.importBlock({ block: block as SignedBlockJson['block'], justifications: null });
    expect(await importNatively(node, 'vectors')).toContain(blocks.at(-1)?.hash);
    await node.close();
  }, 180_000);

  it('its blocks by both authorities, including forks, are verified and imported with the same hash', async () => {
    const node = await openAt(Date.now(), 'local_testnet', { keys: [] });
    const { chain, crypto } = node.parts;
    const spec = await native.writeSpec(node);
    const base = join(native.folder, 'authors');
    const key = ['--node-key', '00'.repeat(31).concat('01')];
    const theirs = await native.serve(
      '--chain',
      spec,
      '--alice',
      '--base-path',
      base,
      '--seal',
      'manual',
      '--rpc-methods',
      'unsafe',
      ...key,
    );
    await expect.poll(theirs.isUp, { timeout: 60_000, interval: 200 }).toBe(true);
    const bob = crypto.suriToPair('//Bob', 'sr25519').publicKey;
    await theirs.call('author_insertKey', 'babe', '//Bob', bytesToHex(bob));
    const forks: string[] = [];
    for (let made = 0; made < 50; made++) {
      const { hash } = await theirs.call<{ hash: string }>('engine_createBlock', true, false, null);
      if (made % 10 === 3) {
        const parent = (await theirs.call<SignedBlockJson>('chain_getBlock', hash)).block.header.parentHash;
        forks.push((await theirs.call<{ hash: string }>('engine_createBlock', true, false, parent)).hash);
      }
    }
    const side = await Promise.all(forks.map((hash) => theirs.call<SignedBlockJson>('chain_getBlock', hash)));
    const best = await theirs.call<string>('chain_getBlockHash');
    await theirs.stop();
    const file = join(native.folder, 'theirs.bin');
    await native.command('export-blocks', '--chain', spec, '--base-path', base, '--binary', file);
    const port = openPort(node);
    await port.request('dev_importChain', [bytesToHex(readFileSync(file))]);
    port.shut();
    for (const [index, block] of side.entries())
      expect((await node.importBlock(block)).hash).toBe(forks[index]);
    const authors = new Set<number | undefined>();
    for (const { hash } of chain.unfinalized()) {
      const header = await chain.loadHeader(hash);
      if (header !== null && header.number > 0) authors.add(headerPreDigest(header)?.authority);
    }
    expect(authors).toEqual(new Set([0, 1]));
    expect(chain.unfinalized().map(({ hash }) => hash)).toContain(best);
    await node.close();
  }, 180_000);
});
