import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import type { SignedBlockJson } from '../../src/protocol/node.ts';
import { concatBytes } from '../../worker/bytes/bytes.ts';
import type { BlockHash } from '../../worker/codec/identity.ts';
import { encodeU64 } from '../../worker/codec/inherent-data.ts';
import { encodeSignedBlock, type SignedBlock } from '../../worker/codec/signed-block.ts';
import type { Node } from '../../worker/node.ts';
import { openAt } from '../consensus/verify-rig.ts';
import { type NativeNode, unpackNativeNode } from './native-rig.ts';

/** Both seal their first block at this time, so that their blocks are never in the future. */
export const clock = { startMs: Date.UTC(2025, 5, 15) };

export const succeeds = (promise: Promise<unknown>): Promise<boolean> =>
  promise.then(
    () => true,
    () => false,
  );

/** A native node with the key of //Alice that seals when asked to, on the chain of a specification. */
export const startSealing = async (native: NativeNode, specPath: string, ...more: readonly string[]) => {
  const key = ['--node-key', '00'.repeat(31).concat('01'), '--rpc-methods', 'unsafe'];
  const chain = ['--chain', specPath, '--alice', '--tmp', '--seal', 'manual'];
  const theirs = await native.serve(...chain, ...key, ...more);
  await vi.waitFor(async () => expect(await theirs.isUp()).toBe(true), { timeout: 60_000, interval: 100 });
  const seal = () => theirs.call<{ hash: string }>('engine_createBlock', true, false, null);
  /**
   * Puts this extrinsic into a block; throws if it is refused, or the block cannot be made. A block right after
   * another one may be sealed before the pool has noticed that one, and is then empty.
   */
  const include = async (extrinsic: string): Promise<string> => {
    await theirs.call('author_submitExtrinsic', extrinsic);
    for (let tries = 0; tries < 20; tries++) {
      const { hash } = await seal();
      const { block } = await theirs.call<SignedBlockJson>('chain_getBlock', hash);
      if (block.extrinsics.includes(extrinsic)) return hash;
    }
    throw new Error('the extrinsic stayed in the pool');
  };
  return { ...theirs, include, seal: async (): Promise<string> => (await seal()).hash };
};

/** The raw specification of a preset, in a file. */
export const writePreset = async (
  native: NativeNode,
  preset: 'development' | 'local_testnet',
): Promise<string> => {
  const node = await openAt(Date.now(), preset, { keys: [] });
  const text = readFileSync(await native.writeSpec(node), 'utf8');
  await node.close();
  return native.write(`${preset}.json`, text);
};

/** For the tests of a file: the native node, and the raw specification of a preset. Filled before the first test. */
export const useNativePreset = (preset: 'development' | 'local_testnet') => {
  const held = {} as { native: NativeNode; spec: string };
  beforeAll(async () => {
    held.native = await unpackNativeNode();
    held.spec = await writePreset(held.native, preset);
  }, 120_000);
  afterAll(() => held.native.close());
  return held;
};

export type Sealing = Awaited<ReturnType<typeof startSealing>>;

/** The blocks of the best chain from block 1 on. */
export const loadChain = async ({ parts }: Node): Promise<SignedBlock[]> => {
  const blocks: SignedBlock[] = [];
  for (let number = 1; number <= parts.chain.best().number; number++) {
    const hash = (await parts.chain.loadHashAt(number)) as BlockHash;
    blocks.push((await parts.chain.loadBlock(hash)) as SignedBlock);
  }
  return blocks;
};

/** Imports our best chain with a native node, until it refuses a block; returns its best block. */
export const importNatively = async (native: NativeNode, node: Node, specPath: string, name: string) => {
  // The form of `export-blocks --binary`.
  const blocks = (await loadChain(node)).map(encodeSignedBlock);
  const file = native.write(`${name}.bin`, concatBytes(encodeU64(BigInt(blocks.length)), ...blocks));
  const place = ['--chain', specPath, '--base-path', join(native.folder, name)];
  // It reports an error if it refuses one.
  await succeeds(native.command('import-blocks', ...place, '--binary', file));
  const info = JSON.parse(/\{[^}]*\}/.exec(await native.command('chain-info', ...place))?.[0] ?? '{}') as {
    best_number: number;
    best_hash: string;
  };
  return { number: info.best_number, hash: info.best_hash };
};
