import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Keyring } from '@polkadot/keyring';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signTransfers } from '../bench/signer.ts';
import type { SignedBlockJson } from '../src/protocol/node.ts';
import { bytesToHex, hexToBytes } from '../worker/bytes/hex.ts';
import { headerPreDigest } from '../worker/consensus/babe/codec.ts';
import type { Node } from '../worker/node.ts';
import { openApi } from './api.ts';
import { hasNativeNode, type NativeNode, unpackNativeNode } from './native-rig.ts';
import { loadNextRuntime } from './platform.ts';
import { openPort } from './ports.ts';
import { sealOn } from './seal-on.ts';
import { openAt } from './verify-rig.ts';

const keys = ['//Alice', '//Bob'];
/** So long ago that what is sealed faster than real time stays behind every clock. */
const clock = { startMs: Date.UTC(2025, 5, 15) };

const submit = async (node: Node, texts: readonly string[]): Promise<void> => {
  for (const text of texts)
    expect(await node.parts.pool.submit(hexToBytes(text), 1)).toMatchObject({ ok: true });
};

/** An upgrade by sudo, as the pool takes it. */
const signUpgrade = async (node: Node, nonce: number): Promise<string> => {
  const { api, close } = await openApi(node);
  const alice = new Keyring({ type: 'sr25519' }).addFromUri('//Alice');
  const code = api.tx['system']?.['setCodeWithoutChecks']?.(bytesToHex(await loadNextRuntime()));
  const signed = await api.tx['sudo']?.['sudo']?.(code as never).signAsync(alice, { nonce, era: 0 });
  await close();
  return signed?.toHex() as string;
};

describe.skipIf(!hasNativeNode)('beside a native polkadot-sdk node (shared native-node)', () => {
  let native: NativeNode;
  beforeAll(async () => {
    native = await unpackNativeNode();
  }, 60_000);
  afterAll(() => native.close());

  it('its import takes blocks of ours: two authorities, six epochs, 600 transfers, an upgrade', async () => {
    const node = await openAt(Date.now(), 'local_testnet', { keys, clock });
    const { chain } = node.parts;
    const spec = native.writeSpec(node);
    const transfers = await signTransfers(node, 600);
    for (let number = 1; number <= 120; number++) {
      if (number <= 60) await submit(node, transfers.slice((number - 1) * 10, number * 10));
      if (number === 70) await submit(node, [await signUpgrade(node, 100)]);
      await sealOn(node);
    }
    const authors = new Set<number | undefined>();
    for (let number = 1; number <= 120; number++) {
      const header = await chain.loadHeader((await chain.loadHashAt(number)) as never);
      authors.add(header === null ? undefined : headerPreDigest(header)?.authority);
    }
    expect(authors).toEqual(new Set([0, 1]));
    const port = openPort(node);
    const file = native.write(
      'ours.bin',
      hexToBytes((await port.request('dev_exportChain', ['binary'])) as string),
    );
    port.shut();
    const place = ['--chain', spec, '--base-path', join(native.folder, 'imports')];
    const log = await native.command('import-blocks', ...place, '--binary', file);
    expect(log).toMatch(/Imported 120 blocks/);
    const { hash } = chain.best();
    const told = await native.command('chain-info', ...place);
    expect(told).toContain(hash);
    await node.close();
  }, 180_000);

  it('its blocks of both authorities, forks included, are verified and imported to the same hash', async () => {
    const node = await openAt(Date.now(), 'local_testnet', { keys: [] });
    const { chain, crypto } = node.parts;
    const spec = native.writeSpec(node);
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
