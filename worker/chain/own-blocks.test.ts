import { describe, expect, it } from 'vitest';
import { createTestPlatform, testConfig } from '../../test/platform.ts';
import type { Block } from '../codec/block.ts';
import { createNode } from '../node.ts';
import { createEmptyBackend } from '../state/backend.ts';
import { emptySource } from '../trie/node-source.ts';
import type { Execution } from './import.ts';

/** A block of one's own whose header and execution agree on a state root that no execution gives. */
const forge = async (): Promise<{ readonly block: Block; readonly execution: Execution }> => {
  const node = await createNode(createTestPlatform({ now: () => 1.8e12 }), testConfig('development'));
  const { author, chain, crypto } = node.parts;
  await author.seal({ createEmpty: true, finalize: false });
  const made = (await chain.loadBlock(chain.best().hash)) as Block;
  await node.close();
  const backend = createEmptyBackend({ blake2b256: crypto.blake2b256, source: emptySource });
  const changes = { main: [], children: [], offchain: [] };
  return {
    block: { ...made, header: { ...made.header, stateRoot: backend.root } },
    execution: { backend, nodes: [], changes },
  };
};

describe('a block of our own', () => {
  it.each([
    [false, { ok: true, number: 1 }],
    [true, { ok: false, code: 'BadBlock' }],
  ] as const)(
    'verifyOwnBlocks %s: an execution that is not what the block does',
    async (verifyOwnBlocks, end) => {
      const { block, execution } = await forge();
      const node = await createNode(createTestPlatform(), testConfig('development', { verifyOwnBlocks }));
      expect(await node.parts.chain.import(block, { execution })).toMatchObject(end);
      expect(node.parts.chain.best().number).toBe(end.ok ? 1 : 0);
      await node.close();
    },
  );
});
