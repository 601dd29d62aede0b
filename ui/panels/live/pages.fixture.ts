import type { PanelSample } from '../../kit/page/panel.ts';

/** Addresses of the panel's pages, and text that each shows once it has loaded. */
export const samples: readonly PanelSample[] = [
  ['live', /No subscriptions yet/],
  ['live?sub=%5B%5B%22chain_subscribeNewHeads%22%2C%5B%5D%5D%5D', /by authority/],
  ['live/traffic?own=1', /chain_/],
  ['live/recording', /No recording/],
];
