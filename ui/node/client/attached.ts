import type { TabNode } from '../../../src/index.ts';

const mark = 'attached';

/** URL for a window that shows the node of the window that opened it, at the same place. */
export const attachedUrl = (href: string): string => {
  const url = new URL(href);
  url.searchParams.set(mark, '');
  return url.href;
};

/** The window that opened this one to detach a panel; null for an ordinary page. */
export const openerOf = (page: Window): Window | null =>
  new URLSearchParams(page.location.search).has(mark) ? (page.opener as Window | null) : null;

/** The node that the opener currently runs: the same object as `tabnode` in its console. */
export const nodeOf = (opener: Window): TabNode | null => {
  try {
    return opener.closed ? null : ((opener as Window & { readonly tabnode?: TabNode }).tabnode ?? null);
  } catch {
    return null; // the opener has navigated to another origin
  }
};
