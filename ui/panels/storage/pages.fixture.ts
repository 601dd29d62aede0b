import type { PanelSample } from '../../kit/page/panel.ts';

const alice = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';

/** Addresses of the panel's pages, and text that each shows once it has loaded. */
export const samples: readonly PanelSample[] = [
  ['storage', /Babe/],
  ['storage/System', /ExtrinsicCount/],
  ['storage/System/Account', /Alice/],
  [`storage/System/Account/${encodeURIComponent(`["${alice}"]`)}`, /History/],
  ['storage/key?key=0x26', /System/],
  ['storage/child', /No child tries/],
  ['storage/diff?from=0&to=1', /keys differ/],
];
