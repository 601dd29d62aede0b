import { describe, expect, it } from 'vitest';
import type { SignedBlockJson } from '../../src/protocol/node.ts';
import { type FixtureBlock, fixtureToJson } from '../../test/chain/fixture-block.ts';
import { replayWestend, type WestendReplay } from '../../test/chain/westend.ts';
import { hasFixtures, loadFixtureJson, loadFixtureLines, loadFixtureText } from '../../test/rigs/fixtures.ts';
import { createTestPlatform, testConfig } from '../../test/rigs/platform.ts';
import { bytesToHex, hexToBytes } from '../bytes/hex.ts';
import type { BlockHash } from '../codec/identity.ts';
import { createNode, type Node } from '../node.ts';

type Recorded = { request: { method: string; params: unknown[] }; response: { result?: unknown } };

const open = async (specFile: string): Promise<Node> =>
  createNode(
    createTestPlatform(),
    testConfig({ specJson: await loadFixtureText(specFile) }, { finality: { kind: 'manual' } }),
  );

const inPage = 'document' in globalThis;

/** In Chromium, the node runs in a dedicated worker, as in an app. */
const replayInWorker = async (): Promise<WestendReplay> => {
  const worker = new Worker(new URL('../../test/chain/westend-worker.ts', import.meta.url), {
    type: 'module',
  });
  try {
    const told = await new Promise<WestendReplay & { failed?: string; thread?: string }>(
      (resolve, reject) => {
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => reject(new Error(`The worker failed: ${message}`));
      },
    );
    expect(told.failed).toBeUndefined();
    expect(told.thread).toBe('DedicatedWorkerGlobalScope');
    return told;
  } finally {
    worker.terminate();
  }
};

describe.skipIf(!hasFixtures)('blocks of real chains, re-executed', () => {
  it('Westend 1–128', async () => {
    const { expected, imported } = await (inPage ? replayInWorker() : replayWestend());
    expect(expected.length).toBe(129);
    expect(imported).toEqual(expected);
  });

  it('the chain of a native SDK node, with its recorded responses', async () => {
    const node = await open('sdk-node/spec.json');
    for (const { block } of await loadFixtureLines<SignedBlockJson>('sdk-node/blocks.jsonl'))
      await node.importBlock({ block });
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

  it('refuses a block with a wrong state root, keeps the earlier ones and continues', async () => {
    const node = await open('chains/westend-raw.json');
    const blocks = await loadFixtureJson<FixtureBlock[]>('blocks/westend-1-128.json');
    const [first, second] = [blocks[0] as FixtureBlock, blocks[1] as FixtureBlock];
    await node.importBlock(fixtureToJson(first));
    const bad = hexToBytes(second.header);
    bad[40] = (bad[40] as number) ^ 1;
    await expect(node.importBlock(fixtureToJson({ ...second, header: bytesToHex(bad) }))).rejects.toThrow(
      '#2',
    );
    expect(node.parts.chain.best().number).toBe(1);
    await node.importBlock(fixtureToJson(second));
    expect(node.parts.chain.best().hash).toBe(second.hash);
    await node.close();
  });

  it('refuses a body that does not match the header, and a block without a parent', async () => {
    const node = await open('chains/westend-raw.json');
    const [first, second] = await loadFixtureJson<FixtureBlock[]>('blocks/westend-1-128.json');
    await expect(
      node.importBlock(fixtureToJson({ header: first?.header as string, body: second?.body as string[] })),
    ).rejects.toMatchObject({ code: 'ExtrinsicsRootMismatch' });
    await expect(node.importBlock(fixtureToJson(second as FixtureBlock))).rejects.toMatchObject({
      code: 'UnknownParent',
    });
    await node.close();
  });
});
