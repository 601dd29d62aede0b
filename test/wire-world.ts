import type { ApiPromise } from '@polkadot/api';
import { expect, onTestFinished } from 'vitest';
import type { NodeConfig } from '../src/protocol/node.ts';
import { createNode, type Node } from '../worker/node.ts';
import { openApi } from './api.ts';
import { createTestPlatform, testConfig } from './platform.ts';
import { openWire, type Wire } from './wire.ts';

/** A development chain with manual finality, polkadot-js on it, and the texts it sends. */
export type WireWorld = {
  readonly node: Node;
  readonly api: ApiPromise;
  readonly wire: Wire;
};

/** For one test: it is closed at the test's end, which fails if the node reported a fault. */
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
