import type { PanelSample } from '../../kit/page/panel.ts';

/** Addresses of the panel's pages, and text that each shows once it has loaded. */
export const samples: readonly PanelSample[] = [
  ['runtime', /BabeApi/],
  ['runtime/pallets/Balances/calls', /transfer_all/],
  ['runtime/apis/Core/version', /version/],
  ['runtime/types/5', /type/i],
  ['runtime/decode', /bytes/],
  ['runtime/module', /Host functions used/],
  ['runtime/rehearse', /Choose file…/],
  ['runtime/logs', /No lines yet/],
];
