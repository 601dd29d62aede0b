import { panel } from '../live/panel.ts';

export const used = panel;
