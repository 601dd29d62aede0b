import type { PanelInfo } from '../../kit/page/panel.ts';

export const panel: PanelInfo = {
  id: 'live',
  label: 'Live',
  key: '4',
  icon: 'M1.5 8h3L6.5 3l3 10 2-5h3',
  hint: 'subscriptions, all JSON-RPC traffic, recordings',
  pages: [
    { id: 'subscriptions', label: 'Subscriptions' },
    { id: 'traffic', label: 'Traffic' },
    { id: 'recording', label: 'Recording' },
  ],
  commands: [
    { label: 'Record the traffic', words: 'log replay', place: ['recording'], needs: 'dev_subscribeTraffic' },
    { label: 'Watch all JSON-RPC traffic', words: 'calls log network', place: ['traffic'] },
  ],
};
