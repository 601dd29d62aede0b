import type { PanelSample } from '../../kit/page/panel.ts';

/** Addresses of the panel's pages, and text that each shows once it has loaded. */
export const samples: readonly PanelSample[] = [
  ['chain', /#1/],
  ['chain/2', /Balances[.]Transfer/],
  ['chain/2/1', /outcome/],
  ['chain/epoch', /Authorities/],
  ['chain/control', /Snapshots/],
  ['chain/pair', /Start Alice and Bob/],
  [`chain/tx/0x${'12'.repeat(32)}`, /Neither in the pool/],
];
