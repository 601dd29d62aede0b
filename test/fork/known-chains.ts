import type { ChainSource } from '../../src/protocol/node.ts';
import { hasFixtures, loadFixtureText } from '../rigs/fixtures.ts';

export const devKeys = ['//Alice', '//Bob', '//Charlie', '//Dave', '//Eve', '//Ferdie'];

export type KnownChain = {
  readonly name: string;
  /** A fixture; null for the default chain. */
  readonly file: string | null;
  readonly hasSessions: boolean;
};

/**
 * Chains on which this node may author. Not among them: parachains (Coretime Polkadot, Asset Hub of Kusama), whose blocks need
 * the proof of a relay chain's state, and Westend of 2020, whose runtime has no `BabeApi_current_epoch`, without which nobody
 * but the runtime knows the epochs after the first.
 */
export const knownChains: readonly KnownChain[] = [
  { name: 'the default chain (BABE, V1, contracts)', file: null, hasSessions: true },
  { name: 'node-template (Aura, V0)', file: 'chains/node-template-raw.json', hasSessions: false },
  { name: 'westend-dev (BABE, V0)', file: 'chains/westend-dev-raw.json', hasSessions: true },
  { name: 'kusama-local', file: 'fork/kusama-local-1000000.json', hasSessions: true },
  { name: 'rococo-local', file: 'fork/rococo-local-1014000.json', hasSessions: true },
];

export const isMissing = ({ file }: KnownChain): boolean => file !== null && !hasFixtures;

export const sourceOf = async ({ file }: KnownChain): Promise<ChainSource> =>
  file === null ? 'development' : { specJson: await loadFixtureText(file) };
