import type { ApiPromise } from '@polkadot/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNode, type Node } from '../../worker/node.ts';
import { openApi } from '../rigs/api.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { checkDerives } from './polkadot-js-derives.ts';
import { callDecorated, decoratedNames } from './polkadot-js-suite.ts';

describe('polkadot-js over the provider', () => {
  let node: Node;
  let api: ApiPromise;
  let close: () => Promise<void>;
  beforeAll(async () => {
    node = await createNode(createTestPlatform(), testConfig('development', { seal: { kind: 'instant' } }));
    ({ api, close } = await openApi(node));
  });
  afterAll(async () => {
    await close();
    await node.close();
  });

  it('calls every method it decorates', async () => {
    const names = decoratedNames(api);
    expect(names.length).toBeGreaterThan(50);
    expect(await callDecorated(api, names)).toEqual([]);
  });

  it('derives accounts, chain and fees', () => checkDerives(api));
});
