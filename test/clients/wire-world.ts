import type { ApiPromise } from '@polkadot/api';
import { expect, onTestFinished } from 'vitest';
import type { NodeConfig } from '../../src/protocol/node.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { openApi } from '../rigs/api.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { openWire, type Wire } from './wire.ts';

/**
 * A development chain with manual finality, a polkadot-js client on it, and the texts that the node sends.
 */
export type WireWorld = {
  readonly node: Node;
  readonly api: ApiPromise;
  readonly wire: Wire;
};

/** For one test: closed at its end, which fails the test if the node reported an error. */
export const openWireWorld = async (changes: Partial<NodeConfig> = {}): Promise<WireWorld> => {
  const platform = createTestPlatform();
  const config = testConfig('development', { finality: { kind: 'manual' }, ...changes });
  const node = await createNode(platform, config);
  const { api, close } = await openApi(node);
  const wire = openWire(node);
  onTestFinished(async () => {
    wire.close();
    await close();
    await node.close();
    expect(platform.errors).toEqual([]);
  });
  return { node, api, wire };
};
