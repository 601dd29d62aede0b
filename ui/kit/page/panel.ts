import { linkTo, linkWith } from './route.svelte.ts';

/** A page of a panel, in its tabs. */
export type PanelPage = {
  /** The part of the address after the panel's; the first page of a panel is also shown without it. */
  readonly id: string;
  readonly label: string;
  /** A node without this method does not have the page. */
  readonly needs?: string;
};

/** What the palette offers to do in a panel. */
export type PanelCommand = {
  readonly label: string;
  /** More words that match it. */
  readonly words: string;
  /** Parts of the address after the panel's. */
  readonly place?: readonly string[];
  /** The same as of a page. */
  readonly needs?: string;
};

/** An address of a panel, and text that it shows once it has loaded; tests and screenshots visit it. */
export type PanelSample = readonly [place: string, shows: RegExp];

/** A panel of the devtools, as the `panel.ts` in its folder describes it. */
export type PanelInfo = {
  readonly id: string;
  readonly label: string;
  /** The shortcut key that opens it, and its place in the rail. */
  readonly key: string;
  /** Path of a 16 × 16 icon. */
  readonly icon: string;
  /** What the panel is for, shown in the palette. */
  readonly hint: string;
  /** A node without this method does not have the panel. */
  readonly needs?: string;
  readonly pages: readonly PanelPage[];
  readonly commands: readonly PanelCommand[];
};

/** The tabs of a panel's pages, with links that have this query. */
export const tabsOf = (
  { id, pages }: Pick<PanelInfo, 'id' | 'pages'>,
  query: Parameters<typeof linkWith>[0] = {},
): readonly (PanelPage & { readonly href: string })[] =>
  pages.map((page, index) => ({
    ...page,
    href: linkWith(query, id, ...(index === 0 ? [] : [page.id])),
  }));

/** The commands of a panel for a node that has these methods, each with its link. */
export const commandsOf = (
  { id, pages, commands }: PanelInfo,
  offers: (method: string | undefined) => boolean,
): readonly (PanelCommand & { readonly href: string })[] =>
  commands
    .filter(({ place: [page] = [], needs = pages.find((one) => one.id === page)?.needs }) => offers(needs))
    .map((command) => ({ ...command, href: linkTo(id, ...(command.place ?? [])) }));
