import type { PanelInfo } from '../../kit/page/panel.ts';

export const panel: PanelInfo = {
  id: 'storage',
  label: 'Storage',
  key: '2',
  icon: 'M2.5 4c0-1 2.5-1.7 5.5-1.7s5.5.7 5.5 1.7v8c0 1-2.5 1.7-5.5 1.7S2.5 13 2.5 12zM2.5 4c0 1 2.5 1.7 5.5 1.7S13.5 5 13.5 4M2.5 8c0 1 2.5 1.7 5.5 1.7s5.5-.7 5.5-1.7',
  hint: 'state, decoded, at any block',
  pages: [],
  commands: [{ label: 'Compare two blocks', words: 'diff state', place: ['diff'] }],
};
