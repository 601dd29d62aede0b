import type { PanelSample } from '../../kit/page/panel.ts';

/** Addresses of the panel's pages, and text that each shows once it has loaded. */
export const samples: readonly PanelSample[] = [
  ['rpc', /archive/],
  ['rpc/state_getRuntimeVersion', /Run/],
  ['rpc/dev_newBlock?as=json', /Parameter format/],
];
