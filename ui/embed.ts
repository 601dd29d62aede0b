import { mount, unmount } from 'svelte';
import type { Devtools } from '../src/devtools.ts';
import base from './base.css?inline';
import Launcher from './embed/Launcher.svelte';
import Lazy from './embed/Lazy.svelte';
import { addStyle, adoptStyles } from './embed/styles.ts';
import { createOwnAddress, setFrame } from './kit/page/frame.ts';
import { isTyping, pressedIn } from './kit/page/keys.ts';
import { applyTheme } from './kit/page/theme.svelte.ts';
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

/** Whether the devtools use this key or text: in a field or a dialog, on a link or a button, or as a shortcut. */
const isOwn = (event: Event): boolean => {
  const target = pressedIn(event);
  const { key } = event as KeyboardEvent;
  const controls = key === 'Enter' || key === ' ' ? 'dialog, a, button, summary' : 'dialog';
  return event.defaultPrevented || isTyping(target) || target?.closest(controls) != null;
};

/**
 * Keeps such keys and texts from the host page, for which their target is the element around the devtools: it would
 * take what is typed in a field for its own shortcuts. All others it gets.
 */
const keepKeysInside = (host: HTMLElement): void => {
  const down = new Set<string>();
  const keep = (event: Event): void => {
    const { type, code } = event as KeyboardEvent;
    // A key goes up where it went down, also if the focus has moved.
    if (type === 'keyup' ? !down.delete(code) : !isOwn(event)) return;
    if (type === 'keydown') down.add(code);
    event.stopPropagation();
  };
  for (const type of ['keydown', 'keypress', 'keyup', 'beforeinput', 'input', 'cut', 'copy', 'paste'])
    host.addEventListener(type, keep);
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
  // Inline, because rules of the page for its elements are stronger than those of a shadow root for its host.
  host.style.cssText = `all: initial; display: ${display}; height: 100%; visibility: inherit; direction: ltr; user-select: text`;
  const root = host.attachShadow({ mode: 'open' });
  const address = createOwnAddress();
  setFrame({ root, host, keys: root, address });
  keepLinksInside(root, address.open);
  keepKeysInside(host);
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
