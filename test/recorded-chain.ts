import type { BlockJson, NodeConfig } from '../src/protocol/node.ts';
import { bytesToHex, hexToBytes } from '../worker/bytes/hex.ts';
import { encodeHeader } from '../worker/codec/header.ts';
import { createNode, type Node } from '../worker/node.ts';
import { loadFixtureLines, loadFixtureText } from './fixtures.ts';
import { createTestPlatform, testConfig } from './platform.ts';

export type RecordedBlock = {
  block: {
    header: {
      parentHash: string;
      number: string;
      stateRoot: string;
      extrinsicsRoot: string;
      digest: { logs: string[] };
    };
    extrinsics: string[];
  };
  justifications: [number[], number[]][] | null;
};

/** A line of blocks.jsonl as a block of a file. */
export const recordedBlockJson = ({ block, justifications }: RecordedBlock): BlockJson => {
  const { header } = block;
  const bytes = encodeHeader({
    parentHash: hexToBytes(header.parentHash),
    number: Number(header.number),
    stateRoot: hexToBytes(header.stateRoot),
    extrinsicsRoot: hexToBytes(header.extrinsicsRoot),
    digest: header.digest.logs.map(hexToBytes),
  });
  return {
    header: bytesToHex(bytes),
    extrinsics: block.extrinsics,
    justifications:
      justifications?.map(([engine, data]) => [
        bytesToHex(Uint8Array.from(engine)),
        bytesToHex(Uint8Array.from(data)),
      ]) ?? null,
  };
};

export const loadRecordedBlocks = async (): Promise<BlockJson[]> =>
  (await loadFixtureLines<RecordedBlock>('sdk-node/blocks.jsonl')).map(recordedBlockJson);

/** The time of the first recorded slot: at this clock no slot after the recorded blocks has come. */
const firstSlotMs = 291_666_667 * 6000;

/** A node with the 63 blocks of the recorded chain (fixtures: sdk-node), finalized as far as their justifications say. */
export const openRecordedChain = async (changes: Partial<NodeConfig> = {}): Promise<Node> => {
  const specJson = await loadFixtureText('sdk-node/spec.json');
  const node = await createNode(
    createTestPlatform({ now: () => firstSlotMs }),
    testConfig({ specJson }, { finality: { kind: 'manual' }, ...changes }),
  );
  for (const block of await loadRecordedBlocks()) await node.importBlock(block);
  return node;
};
