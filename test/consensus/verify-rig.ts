import { expect } from 'vitest';
import type { NodeConfig } from '../../src/protocol/node.ts';
import { hashHeader } from '../../worker/chain/hashes.ts';
import type { ImportResult } from '../../worker/chain/import/import.ts';
import type { Block } from '../../worker/codec/block.ts';
import { decodeDigestItem } from '../../worker/codec/digest.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { sealOn } from '../rigs/seal-on.ts';

export const startMs = 1_800_000_000_000;

/** A node with a fixed wall clock. */
export const openAt = (
  nowMs: number,
  chain: NodeConfig['chain'] = 'development',
  changes: Partial<NodeConfig> = {},
): Promise<Node> =>
  createNode(
    createTestPlatform({ now: () => nowMs }),
    testConfig(chain, { finality: { kind: 'manual' }, ...changes }),
  );

/** Builds blocks of a chain that runs ahead of the wall clock. */
export const makeBlocks = async (
  count: number,
  chain: NodeConfig['chain'] = 'development',
  changes: Partial<NodeConfig> = {},
): Promise<Block[]> => {
  const node = await openAt(startMs, chain, changes);
  const blocks: Block[] = [];
  for (let made = 0; made < count; made++)
    blocks.push((await node.parts.chain.loadBlock(await sealOn(node))) as Block);
  await node.close();
  return blocks;
};

/** Imports a block as from an operator's file, whose chain may be ahead of the wall clock. */
export const importFile = ({ parts }: Node, block: Block): Promise<ImportResult> =>
  parts.chain.import(block, { origin: 'file' });

/** Expects the block to be refused with the code, and nothing of it to be stored. */
export const expectRefused = async (node: Node, block: Block, code: string | readonly string[]) => {
  const { chain, crypto } = node.parts;
  const before = chain.best();
  const known = chain.unfinalized().length;
  const result = await importFile(node, block);
  expect(result).toMatchObject({ ok: false });
  if (!result.ok) expect(typeof code === 'string' ? [code] : code, result.message).toContain(result.code);
  expect(await chain.loadHeader(hashHeader(crypto, block.header))).toBeNull();
  expect([chain.best(), chain.unfinalized().length]).toEqual([before, known]);
};

/** Replaces one digest item, drops it (null), or adds items after it. */
export const withItem = (block: Block, index: number, ...items: readonly Uint8Array[]): Block => {
  const digest = block.header.digest.toSpliced(index, 1, ...items);
  return { ...block, header: { ...block.header, digest } };
};

export const flipBit = (bytes: Uint8Array, bit: number): Uint8Array => {
  const flipped = bytes.slice();
  flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
  return flipped;
};

/** The index of the first digest item of that kind, or -1. */
export const findItem = ({ header }: Block, kind: string): number =>
  header.digest.findIndex((bytes) => {
    const item = decodeDigestItem(bytes);
    return item.kind === kind && 'engine' in item && item.engine !== 'FRNK' && item.engine !== 'BEEF';
  });
