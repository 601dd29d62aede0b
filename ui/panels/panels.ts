import type { Component } from 'svelte';
import type { PanelInfo } from '../kit/page/panel.ts';

/** One panel of the devtools. Its code loads when it is first opened. */
export type Panel = PanelInfo & { readonly load: () => Promise<{ readonly default: Component }> };

/** A folder here with a `panel.ts`, and a component named after it, such as `chain/ChainPanel.svelte`, is a panel. */
const infos = import.meta.glob<PanelInfo>('./*/panel.ts', { eager: true, import: 'panel' });
const components = Object.entries(import.meta.glob<{ default: Component }>('./*/*Panel.svelte'));

const withCode = (info: PanelInfo): Panel => ({
  ...info,
  load: async () => {
    const code = components.find(([path]) => path.startsWith(`./${info.id}/`))?.[1];
    if (code === undefined) throw new Error(`The panel ${info.id} has no component.`);
    return code();
  },
});

/** Every panel, in rail order: by code unit, because the first `localeCompare` of a page loads a collation (12 ms). */
export const panels: readonly Panel[] = Object.values(infos)
  .sort((a, b) => (a.key < b.key ? -1 : 1))
  .map(withCode);

const loaded = new Map<Panel, Component>();

/** A style sheet that did not load is asked for again (scripts/vite/early-worker.ts); without it no panel is shown. */
const waitForStyles = async (ms = 500): Promise<void> => {
  const links = document.querySelectorAll<HTMLLinkElement>('[data-tries]');
  const missing = [...links].find(({ sheet }) => sheet === null);
  if (missing === undefined) return;
  if (ms > 4000) throw new TypeError(`Failed to load ${missing.href}`);
  await new Promise((resolve) => setTimeout(resolve, ms));
  await waitForStyles(2 * ms);
};

/** Loads the code of a panel. */
export const loadPanel = async (panel: Panel): Promise<Component> => {
  const { default: Content } = await panel.load();
  await waitForStyles();
  loaded.set(panel, Content);
  return Content;
};

/** A panel whose code is there already, so that it is drawn in the same frame as what is around it. */
export const loadedPanel = (panel: Panel): Component | null => loaded.get(panel) ?? null;

export const findPanel = (id: string): Panel | null => panels.find((panel) => panel.id === id) ?? null;
