import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChainSource } from '../../src/protocol/node.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { sealOn } from '../rigs/seal-on.ts';
import { importFork, openForkOf, openWhole } from './fork-rig.ts';
import { devKeys, isMissing, knownChains, sourceOf } from './known-chains.ts';
import { playScenes, upgradeRuntime } from './traffic.ts';

describe.each(knownChains)('a fork of $name', (known) => {
  let source: ChainSource = 'development';
  let live: Node;
  beforeAll(async () => {
    if (isMissing(known)) return;
    source = await sourceOf(known);
    live = await createNode(createTestPlatform(), testConfig(source, { keys: devKeys }));
  }, 120_000);
  afterAll(() => live?.close());

  it.skipIf(isMissing(known)).each([0, 20])(
    'at a block >= %i: a node with the whole state imports 20 blocks to the same hashes',
    async (least) => {
      if (least > 0) await playScenes(live, 'Live');
      while (live.parts.chain.best().number < least) await sealOn(live);
      const base = live.parts.chain.best();
      expect(base.number).toBeGreaterThanOrEqual(least);
      const { node, errors } = await openForkOf(live, { block: base.hash, keys: devKeys });
      expect(node.parts.chain.best()).toMatchObject({ hash: base.hash, number: base.number });
      const events = await playScenes(node, 'Fork');
      expect([...events]).toEqual(expect.arrayContaining(['balances.Transfer', 'system.KilledAccount']));
      expect(events.has('session.NewSession')).toBe(known.hasSessions);
      expect(events.has('contracts.Instantiated')).toBe(known.file === null);
      await upgradeRuntime(node);
      while (node.parts.chain.best().number < base.number + 20) await sealOn(node);
      const whole = await openWhole(live, source, base.number);
      await importFork(whole, node);
      expect(errors).toEqual([]);
      await whole.close();
      await node.close();
    },
    240_000,
  );
});
