import type { PanelSample } from '../../kit/page/panel.ts';

/** Addresses of the panel's pages, and text that each shows once it has loaded. */
export const samples: readonly PanelSample[] = [
  ['send/Balances/transfer_keep_alive', /valid/],
  ['send/Utility/batch', /calls/],
  ['send/upgrade', /Current runtime/],
  ['send/raw', /Signed extrinsic/],
  ['send/pool', /Ready/],
];
