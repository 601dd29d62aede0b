import type { TabNode } from './start.ts';

/** Devtools in a page. */
export type Devtools = {
  /** Takes them out of the page and ends their connection; the node goes on. May be called twice. */
  close(): void;
};

/**
 * Where the button floats, and whether the devtools stand open at first (default: `bottom-right`, closed).
 */
export type DevtoolsButtonOptions = {
  readonly corner?: 'top-left' | 'top-right' | 'bottom-left' | 'bottom-right';
  readonly initialIsOpen?: boolean;
};

/**
 * Fills an element with the devtools of a running node, in a shadow root with their own styles and their own
 * address. A page has one of them: another one throws a TypeError until the first is closed. Made by
 * `ui/embed.ts`.
 */
export declare const mountDevtools: (element: HTMLElement, node: TabNode) => Devtools;

/** Adds a floating button that opens the devtools at the foot of the page. As `mountDevtools` otherwise. */
export declare const mountDevtoolsButton: (node: TabNode, options?: DevtoolsButtonOptions) => Devtools;
