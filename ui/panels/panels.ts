import type { Component } from 'svelte';

/** One panel of the devtools. Its code loads when it is first opened. */
export type Panel = {
  readonly id: string;
  readonly label: string;
  /** The shortcut key that opens it. */
  readonly key: string;
  /** Path of a 16 × 16 icon. */
  readonly icon: string;
  /** What the panel is for, shown in the palette. */
  readonly hint: string;
  readonly load: () => Promise<{ readonly default: Component }>;
};

/** Every panel, in rail order. */
export const panels: readonly Panel[] = [
  {
    id: 'chain',
    label: 'Chain',
    key: '1',
    icon: 'M3 3h4v4H3zM9 9h4v4H9zM7 5h4v4',
    hint: 'blocks, forks, transactions',
    load: () => import('./chain/ChainPanel.svelte'),
  },
  {
    id: 'storage',
    label: 'Storage',
    key: '2',
    icon: 'M2.5 4c0-1 2.5-1.7 5.5-1.7s5.5.7 5.5 1.7v8c0 1-2.5 1.7-5.5 1.7S2.5 13 2.5 12zM2.5 4c0 1 2.5 1.7 5.5 1.7S13.5 5 13.5 4M2.5 8c0 1 2.5 1.7 5.5 1.7s5.5-.7 5.5-1.7',
    hint: 'state, decoded, at any block',
    load: () => import('./storage/StoragePanel.svelte'),
  },
  {
    id: 'rpc',
    label: 'RPC',
    key: '3',
    icon: 'M5 4L1.5 8 5 12M11 4l3.5 4L11 12M9 3L7 13',
    hint: 'every method of the node',
    load: () => import('./rpc/RpcPanel.svelte'),
  },
  {
    id: 'live',
    label: 'Live',
    key: '4',
    icon: 'M1.5 8h3L6.5 3l3 10 2-5h3',
    hint: 'subscriptions, all JSON-RPC traffic, recordings',
    load: () => import('./live/LivePanel.svelte'),
  },
  {
    id: 'send',
    label: 'Send',
    key: '5',
    icon: 'M2 8l12-5.5-4.5 11.5L7.5 9zM7.5 9L14 2.5',
    hint: 'build, sign and follow transactions; the pool',
    load: () => import('./send/SendPanel.svelte'),
  },
  {
    id: 'runtime',
    label: 'Runtime',
    key: '6',
    icon: 'M5 5h6v6H5zM6.5 5V2.5M9.5 5V2.5M6.5 13.5V11M9.5 13.5V11M5 6.5H2.5M5 9.5H2.5M13.5 6.5H11M13.5 9.5H11',
    hint: 'version, pallets, APIs, docs, log',
    load: () => import('./runtime/RuntimePanel.svelte'),
  },
  {
    id: 'node',
    label: 'Node',
    key: '7',
    icon: 'M2 3h12v4H2zM2 9h12v4H2zM4.5 5h.1M4.5 11h.1M8 5h3.5M8 11h3.5',
    hint: 'timings, memory, keystore, offchain storage',
    load: () => import('./node/NodePanel.svelte'),
  },
];

const loaded = new Map<Panel, Component>();

/** A style sheet that did not load is asked for again (scripts/early-worker.ts); without it no panel is shown. */
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
