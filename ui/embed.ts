import { mount, unmount } from 'svelte';
import type { Devtools } from '../src/devtools.ts';
import base from './base.css?inline';
import Launcher from './embed/Launcher.svelte';
import Lazy from './embed/Lazy.svelte';
import { addStyle, adoptStyles } from './embed/styles.ts';
import { createOwnAddress, setFrame } from './page/frame.ts';
import { applyTheme } from './page/theme.svelte.ts';
import panels from './panels.css?inline';
import tokens from './tokens.css?inline';

addStyle(tokens);
addStyle(base);
addStyle(panels);

let isTaken = false;

/** Handles links inside the devtools, because the URL belongs to the host page. */
const keepLinksInside = (root: ShadowRoot, open: (link: string) => void): void => {
  root.addEventListener('click', (event) => {
    const link = event
      .composedPath()
      .find((part): part is HTMLAnchorElement => part instanceof HTMLAnchorElement)
      ?.getAttribute('href');
    if (!link?.startsWith('#/') || event.defaultPrevented) return;
    event.preventDefault();
    open(link);
  });
};

/** Creates a shadow root under an element and mounts into it; closing removes everything again. */
const mountIn = (
  parent: HTMLElement,
  display: 'block' | 'contents',
  show: (target: ShadowRoot) => Record<string, unknown>,
): Devtools => {
  if (isTaken) throw new TypeError('The devtools are already mounted in this page. Close them first.');
  isTaken = true;
  const host = document.createElement('div');
  host.style.display = display;
  host.style.height = '100%';
  const root = host.attachShadow({ mode: 'open' });
  const address = createOwnAddress();
  setFrame({ root, host, keys: root, address });
  keepLinksInside(root, address.open);
  const forget = adoptStyles(root);
  applyTheme();
  parent.append(host);
  const shown = show(root);
  let isOpen = true;
  return {
    close: () => {
      if (!isOpen) return;
      isOpen = false;
      void unmount(shown);
      forget();
      host.remove();
      setFrame(null);
      isTaken = false;
    },
  };
};

type Entry = typeof import('../src/devtools.ts');

export const mountDevtools: Entry['mountDevtools'] = (element, node) =>
  mountIn(element, 'block', (target) => mount(Lazy, { target, props: { node } }));

export const mountDevtoolsButton: Entry['mountDevtoolsButton'] = (
  node,
  { corner = 'bottom-right', initialIsOpen = false } = {},
) =>
  mountIn(document.body, 'contents', (target) =>
    mount(Launcher, { target, props: { node, corner, initialIsOpen } }),
  );
