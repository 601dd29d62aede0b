import { createNode } from '../../worker/node.ts';
import { loadFixtureJson, loadFixtureText } from '../rigs/fixtures.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { type FixtureBlock, fixtureToJson } from './fixture-block.ts';

export type WestendReplay = { readonly expected: readonly string[]; readonly imported: readonly string[] };

/** Re-executes Westend's blocks 1–128 in the current thread. Each import compares the roots. */
export const replayWestend = async (): Promise<WestendReplay> => {
  const node = await createNode(
    createTestPlatform(),
    testConfig(
      { specJson: await loadFixtureText('chains/westend-raw.json') },
      { finality: { kind: 'manual' } },
    ),
  );
  const expected: string[] = [];
  const imported: string[] = [];
  for (const block of await loadFixtureJson<FixtureBlock[]>('blocks/westend-1-128.json')) {
    const { hash, number } = await node.importBlock(fixtureToJson(block));
    expected.push(`${block.number} ${block.hash}`);
    imported.push(`${number} ${hash}`);
  }
  imported.push(`best ${node.parts.chain.best().number}`);
  await node.close();
  return { expected: [...expected, 'best 128'], imported };
};
