import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SignedBlockJson } from '../../src/protocol/node.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { createTestPlatform, testConfig } from '../platform.ts';
import { connectRpc } from '../rpc.ts';
import type { ChainVectors } from './make.ts';

// Made by `npm run vectors`. A polkadot-sdk node (2609.2.0) imported these blocks to the same hash.
const vectors = JSON.parse(readFileSync(new URL('chain.json', import.meta.url), 'utf8')) as ChainVectors & {
  readonly blocks: readonly { readonly hash: string; readonly block: SignedBlockJson['block'] }[];
};

const open = async (): Promise<Node> => {
  const node = await createNode(createTestPlatform(), testConfig(vectors.preset, { keys: [] }));
  onTestFinished(node.close);
  return node;
};

const blockAt = (number: number): SignedBlockJson => {
  const found = vectors.blocks[number - 1];
  if (found === undefined) throw new RangeError(`there is no block #${number}`);
  return { block: found.block, justifications: null };
};

describe('a chain of our own: two authorities, three changes of epoch, transfers, batches, a contract', () => {
  it('is of the runtime in public/', async () => {
    const node = await open();
    const { version } = await node.parts.chain.runtimeAt(node.parts.chain.genesisHash);
    expect(version.specVersion, 'the runtime changed: run `npm run vectors`').toBe(vectors.specVersion);
  });

  it('has the genesis state and the genesis hash of its preset', async () => {
    const node = await open();
    const { call } = connectRpc(node);
    const genesis = await call<{ stateRoot: string }>('chain_getHeader', node.parts.chain.genesisHash);
    expect([node.parts.chain.genesisHash, genesis.stateRoot]).toEqual([
      vectors.genesisHash,
      vectors.genesisStateRoot,
    ]);
  });

  it('is imported block by block, to the hashes and child roots of the vectors', async () => {
    const node = await open();
    for (const [index, { hash }] of vectors.blocks.entries())
      expect(await node.importBlock(blockAt(index + 1))).toEqual({
        hash,
        number: index + 1,
      });
    expect(vectors.childRoots).toHaveLength(1);
    const { call } = connectRpc(node);
    for (const [key, root] of vectors.childRoots) expect(await call('state_getStorage', key)).toBe(root);
  });

  it.each([
    [
      'a state root',
      'BadSeal',
      (block: SignedBlockJson['block']) => ({
        ...block,
        header: { ...block.header, stateRoot: `0x${'11'.repeat(32)}` },
      }),
    ],
    [
      'a body',
      'ExtrinsicsRootMismatch',
      (block: SignedBlockJson['block']) => ({ ...block, extrinsics: block.extrinsics.slice(1) }),
    ],
  ] as const)('is refused with %s that is not its own', async (_what, code, change) => {
    const node = await open();
    await node.importBlock(blockAt(1));
    const second = blockAt(2);
    const changed = { ...second, block: change(second.block) };
    await expect(node.importBlock(changed)).rejects.toMatchObject({ code });
    expect(node.parts.chain.best().number).toBe(1);
    expect(await node.importBlock(second)).toMatchObject({ number: 2 });
  });
});
