import type { PanelInfo } from '../../kit/page/panel.ts';

export const panel: PanelInfo = {
  id: 'node',
  label: 'Node',
  key: '7',
  icon: 'M2 3h12v4H2zM2 9h12v4H2zM4.5 5h.1M4.5 11h.1M8 5h3.5M8 11h3.5',
  hint: 'timings, memory, keystore, offchain storage',
  pages: [
    { id: 'charts', label: 'Charts' },
    { id: 'keys', label: 'Keys', needs: 'dev_listKeys' },
    { id: 'offchain', label: 'Offchain', needs: 'offchain_localStorageGet' },
    { id: 'storage', label: 'Disk' },
    { id: 'report', label: 'Report' },
  ],
  commands: [
    { label: 'See and insert keys of the node', words: 'keystore session authority', place: ['keys'] },
    { label: 'Copy a bug report', words: 'issue versions errors timings', place: ['report'] },
  ],
};
