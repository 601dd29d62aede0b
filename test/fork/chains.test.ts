import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChainSource } from '../../src/protocol/node.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { hasFixtures, loadFixtureText } from '../rigs/fixtures.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { sealOn } from '../rigs/seal-on.ts';
import { importFork, openForkOf, openWhole } from './fork-rig.ts';
import { playScenes, upgradeRuntime } from './traffic.ts';

const keys = ['//Alice', '//Bob', '//Charlie', '//Dave', '//Eve', '//Ferdie'];

/**
 * Chains on which this node may author. Not among them: parachains (Coretime Polkadot, Asset Hub of Kusama), whose blocks need
 * the proof of a relay chain's state, and Westend of 2020, whose runtime has no `BabeApi_current_epoch`, without which nobody
 * but the runtime knows the epochs after the first.
 */
const chains: readonly {
  readonly name: string;
  readonly file: string | null;
  readonly hasSessions?: boolean;
}[] = [
  { name: 'the default chain (BABE, V1, contracts)', file: null },
  { name: 'node-template (Aura, V0)', file: 'chains/node-template-raw.json', hasSessions: false },
  { name: 'westend-dev (BABE, V0)', file: 'chains/westend-dev-raw.json' },
  { name: 'kusama-local', file: 'fork/kusama-local-1000000.json' },
  { name: 'rococo-local', file: 'fork/rococo-local-1014000.json' },
];

describe.each(chains)('a fork of $name', ({ file, hasSessions = true }) => {
  const isMissing = file !== null && !hasFixtures;
  let source: ChainSource = 'development';
  let live: Node;
  beforeAll(async () => {
    if (isMissing) return;
    if (file !== null) source = { specJson: await loadFixtureText(file) };
    live = await createNode(createTestPlatform(), testConfig(source, { keys }));
  }, 120_000);
  afterAll(() => live?.close());

  it.skipIf(isMissing).each([0, 20])(
    'at a block >= %i: a node with the whole state imports 20 blocks to the same hashes',
    async (least) => {
      if (least > 0) await playScenes(live, 'Live');
      while (live.parts.chain.best().number < least) await sealOn(live);
      const base = live.parts.chain.best();
      expect(base.number).toBeGreaterThanOrEqual(least);
      const { node, errors } = await openForkOf(live, { block: base.hash, keys });
      expect(node.parts.chain.best()).toMatchObject({ hash: base.hash, number: base.number });
      const events = await playScenes(node, 'Fork');
      expect([...events]).toEqual(expect.arrayContaining(['balances.Transfer', 'system.KilledAccount']));
      expect(events.has('session.NewSession')).toBe(hasSessions);
      expect(events.has('contracts.Instantiated')).toBe(file === null);
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
