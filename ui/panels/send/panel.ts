import type { PanelInfo } from '../../kit/page/panel.ts';

export const panel: PanelInfo = {
  id: 'send',
  label: 'Send',
  key: '5',
  icon: 'M2 8l12-5.5-4.5 11.5L7.5 9zM7.5 9L14 2.5',
  hint: 'build, sign and follow transactions; the pool',
  pages: [
    { id: 'build', label: 'Build a call' },
    { id: 'upgrade', label: 'Upgrade runtime', needs: 'dev_runtimeInfo' },
    { id: 'raw', label: 'Submit raw' },
    { id: 'pool', label: 'Pool', needs: 'dev_pool' },
  ],
  commands: [
    { label: 'Upgrade the runtime', words: 'wasm set_code code', place: ['upgrade'] },
    { label: 'See the transaction pool', words: 'pending mempool queue future ready', place: ['pool'] },
    { label: 'Submit a signed extrinsic', words: 'raw hex send', place: ['raw'] },
  ],
};
