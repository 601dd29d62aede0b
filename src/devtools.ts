import type { TabNode } from './tab-node.ts';

/** Devtools in a page. */
export type Devtools = {
  /** Removes them from the page and closes their connection; the node keeps running. May be called twice. */
  close(): void;
};

/** Where the button floats, and whether the devtools are initially open (default: `bottom-right`, closed). */
export type DevtoolsButtonOptions = {
  readonly corner?: 'top-left' | 'top-right' | 'bottom-left' | 'bottom-right';
  readonly initialIsOpen?: boolean;
};

/**
 * Fills an element with the devtools of a running node, in a shadow root with separate styles and a separate
 * URL. An element without a height becomes 480 px high. A page can have one instance; mounting a second one
 * throws a TypeError until the first is closed. Built from `ui/embed.ts`.
 */
export declare const mountDevtools: (element: HTMLElement, node: TabNode) => Devtools;

/**
 * Adds a floating button that opens the devtools at the bottom of the page or, as the user chooses, at its right edge.
 * Otherwise like `mountDevtools`.
 */
export declare const mountDevtoolsButton: (node: TabNode, options?: DevtoolsButtonOptions) => Devtools;
