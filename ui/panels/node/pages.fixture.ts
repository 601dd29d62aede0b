import type { PanelSample } from '../../kit/page/panel.ts';

/** Addresses of the panel's pages, and text that each shows once it has loaded. */
export const samples: readonly PanelSample[] = [
  ['node', /Memory/],
  ['node/keys', /block production/],
  ['node/offchain', /key/],
  ['node/storage', /IndexedDB/],
  ['node/report', /Last errors/],
];
