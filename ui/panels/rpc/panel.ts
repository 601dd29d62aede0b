import type { PanelInfo } from '../../kit/page/panel.ts';

export const panel: PanelInfo = {
  id: 'rpc',
  label: 'RPC',
  key: '3',
  icon: 'M5 4L1.5 8 5 12M11 4l3.5 4L11 12M9 3L7 13',
  hint: 'every method of the node',
  pages: [],
  commands: [],
};
