import { describe, expect, it } from 'vitest';
import { hasFixtures, loadFixtureJson, loadFixtureLines, loadFixtureText } from '../../test/fixtures.ts';
import { createTestPlatform, testConfig } from '../../test/platform.ts';
import { bytesToHex, hexToBytes } from '../bytes/hex.ts';
import { encodeHeader } from '../codec/header.ts';
import type { BlockHash } from '../codec/identity.ts';
import { createNode, type Node } from '../node.ts';

type Body = { number: number; hash: string; header: string; body: string[] };
type HeaderJson = {
  parentHash: string;
  number: string;
  stateRoot: string;
  extrinsicsRoot: string;
  digest: { logs: string[] };
};
type SignedBlock = { block: { header: HeaderJson; extrinsics: string[] } };
type Recorded = { request: { method: string; params: unknown[] }; response: { result?: unknown } };

const open = async (specFile: string): Promise<Node> =>
  createNode(
    createTestPlatform(),
    testConfig({ specJson: await loadFixtureText(specFile) }, { finality: { kind: 'manual' } }),
  );

const headerHex = ({ parentHash, number, stateRoot, extrinsicsRoot, digest }: HeaderJson): string =>
  bytesToHex(
    encodeHeader({
      parentHash: hexToBytes(parentHash),
      number: Number(number),
      stateRoot: hexToBytes(stateRoot),
      extrinsicsRoot: hexToBytes(extrinsicsRoot),
      digest: digest.logs.map(hexToBytes),
    }),
  );

describe.skipIf(!hasFixtures)('blocks of real chains, executed again', () => {
  it('Westend 1–128', async () => {
    const node = await open('chains/westend-raw.json');
    const blocks = await loadFixtureJson<Body[]>('blocks/westend-1-128.json');
    for (const block of blocks) {
      const imported = await node.importBlock({ header: block.header, extrinsics: block.body });
      expect(imported).toEqual({ hash: block.hash, number: block.number });
    }
    expect(node.parts.chain.best().number).toBe(128);
    await node.close();
  });

  it('the chain of a native SDK node, and what it read from it', async () => {
    const node = await open('sdk-node/spec.json');
    for (const { block } of await loadFixtureLines<SignedBlock>('sdk-node/blocks.jsonl'))
      await node.importBlock({ header: headerHex(block.header), extrinsics: block.extrinsics });
    const { chain } = node.parts;
    expect(chain.best().number).toBe(63);
    let compared = 0;
    for (const { request, response } of await loadFixtureLines<Recorded>('sdk-node/static.jsonl')) {
      const [key, at] = Array.isArray(request.params) ? request.params : [];
      if (request.method !== 'state_getStorage' || typeof key !== 'string' || !('result' in response))
        continue;
      if (typeof response.result === 'object' && response.result !== null) continue;
      const hash = (typeof at === 'string' ? at : chain.best().hash) as BlockHash;
      const value = await chain.withState(hash, (state) => state.get(hexToBytes(key)));
      expect(value === null ? null : bytesToHex(value)).toBe(response.result);
      compared++;
    }
    expect(compared).toBeGreaterThan(0);
    await node.close();
  });

  it('refuses a block with another state root, keeps the ones before and goes on', async () => {
    const node = await open('chains/westend-raw.json');
    const blocks = await loadFixtureJson<Body[]>('blocks/westend-1-128.json');
    const [first, second] = [blocks[0] as Body, blocks[1] as Body];
    await node.importBlock({ header: first.header, extrinsics: first.body });
    const bad = hexToBytes(second.header);
    bad[40] = (bad[40] as number) ^ 1;
    await expect(node.importBlock({ header: bytesToHex(bad), extrinsics: second.body })).rejects.toThrow(
      '#2',
    );
    expect(node.parts.chain.best().number).toBe(1);
    await node.importBlock({ header: second.header, extrinsics: second.body });
    expect(node.parts.chain.best().hash).toBe(second.hash);
    await node.close();
  });

  it('refuses a body that is not the header’s, and a block without a parent', async () => {
    const node = await open('chains/westend-raw.json');
    const [first, second] = await loadFixtureJson<Body[]>('blocks/westend-1-128.json');
    await expect(
      node.importBlock({ header: first?.header as string, extrinsics: second?.body as string[] }),
    ).rejects.toMatchObject({ code: 'ExtrinsicsRootMismatch' });
    await expect(
      node.importBlock({ header: second?.header as string, extrinsics: second?.body as string[] }),
    ).rejects.toMatchObject({ code: 'UnknownParent' });
    await node.close();
  });
});
