import { bytesToHex, hexToBytes } from '../worker/bytes/hex.ts';
import { encodeHeader } from '../worker/codec/header.ts';
import { createNode, type Node } from '../worker/node.ts';
import { loadFixtureLines, loadFixtureText } from './fixtures.ts';
import { createTestPlatform, testConfig } from './platform.ts';

type SignedBlock = {
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
};

/** A node with the 63 blocks of the recorded chain (fixtures: sdk-node), none of them finalized. */
export const openRecordedChain = async (): Promise<Node> => {
  const specJson = await loadFixtureText('sdk-node/spec.json');
  const node = await createNode(
    createTestPlatform(),
    testConfig({ specJson }, { finality: { kind: 'manual' } }),
  );
  for (const { block } of await loadFixtureLines<SignedBlock>('sdk-node/blocks.jsonl')) {
    const { header } = block;
    const bytes = encodeHeader({
      parentHash: hexToBytes(header.parentHash),
      number: Number(header.number),
      stateRoot: hexToBytes(header.stateRoot),
      extrinsicsRoot: hexToBytes(header.extrinsicsRoot),
      digest: header.digest.logs.map(hexToBytes),
    });
    await node.importBlock({ header: bytesToHex(bytes), extrinsics: block.extrinsics });
  }
  return node;
};
