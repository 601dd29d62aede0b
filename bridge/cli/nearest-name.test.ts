import { expect, it } from 'vitest';
import { nearestName } from './nearest-name.ts';

const names = ['polkadot', 'polkadot-asset-hub', 'kusama', 'kusama-asset-hub', 'import-storage', 'port'];

it.each([
  ['polkadott', 'polkadot'],
  ['polkadto', 'polkadot'],
  ['Kusama', 'kusama'],
  ['polkadot-assethub', 'polkadot-asset-hub'],
  ['polkadot-aset-hb', 'polkadot-asset-hub'],
  ['import-storge', 'import-storage'],
  ['prt', 'port'],
])('%s probably means %s', (typed, meant) => {
  expect(nearestName(typed, names)).toBe(meant);
});

it.each(['', 'dot', 'ethereum', 'localhost:9944', 'polkadot'.repeat(20)])('%j means no name', (typed) => {
  expect(nearestName(typed, names)).toBeNull();
});
