import type { TabNode } from '../../src/index.ts';

const mark = 'attached';

/** The address at which a window looks at the node of the one that opened it, at the same place. */
export const attachedUrl = (href: string): string => {
  const url = new URL(href);
  url.searchParams.set(mark, '');
  return url.href;
};

/** The window that opened this one to have a panel of its own; null for an ordinary page. */
export const openerOf = (page: Window): Window | null =>
  new URLSearchParams(page.location.search).has(mark) ? (page.opener as Window | null) : null;

/** The node that the opening page runs now: the same object that its console has. */
export const nodeOf = (opener: Window): TabNode | null => {
  try {
    return opener.closed ? null : ((opener as Window & { readonly tabnode?: TabNode }).tabnode ?? null);
  } catch {
    return null; // gone elsewhere, to another origin
  }
};
