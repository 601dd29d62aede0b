import type { NodeConfig, SignedBlockJson } from '../../src/protocol/node.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { loadFixtureLines, loadFixtureText } from '../rigs/fixtures.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';

export const loadRecordedBlocks = (): Promise<SignedBlockJson[]> =>
  loadFixtureLines<SignedBlockJson>('sdk-node/blocks.jsonl');

/** The time of the first recorded slot. With this clock, no slot after the recorded blocks is due. */
const firstSlotMs = 291_666_667 * 6000;

/**
 * A node with the 63 blocks of the recorded chain (fixtures: sdk-node), finalized as far as their
 * justifications allow.
 */
export const openRecordedChain = async (changes: Partial<NodeConfig> = {}): Promise<Node> => {
  const specJson = await loadFixtureText('sdk-node/spec.json');
  const node = await createNode(
    createTestPlatform({ now: () => firstSlotMs }),
    testConfig({ specJson }, { finality: { kind: 'manual' }, ...changes }),
  );
  for (const block of await loadRecordedBlocks()) await node.importBlock(block);
  return node;
};
