/** Stores the devtools' location: the page's URL, or a private string. */
export type Address = {
  /** In the format of `location.hash`. */
  read(): string;
  /** Navigates, adding a history entry if there is a history. */
  open(link: string): void;
  /** Navigates without adding a history entry. */
  replace(link: string): void;
  watch(changed: () => void): () => void;
};

/** What the devtools are mounted in: the whole page, or a part of a host page that they stay inside. */
export type Frame = {
  /** Root for element queries. */
  readonly root: Document | ShadowRoot;
  /** The element that carries the theme. */
  readonly host: HTMLElement;
  /** Target of keyboard listeners. */
  readonly keys: EventTarget;
  readonly address: Address;
};

const pageAddress: Address = {
  read: () => location.hash,
  open: (link) => {
    location.hash = link;
  },
  replace: (link) => {
    history.replaceState(null, '', link);
    dispatchEvent(new HashChangeEvent('hashchange'));
  },
  watch: (changed) => {
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  },
};

/** A private address, because the URL belongs to the host page. */
export const createOwnAddress = (): Address => {
  let link = '';
  const watchers = new Set<() => void>();
  const go = (next: string): void => {
    link = next;
    for (const changed of [...watchers]) changed();
  };
  return {
    read: () => link,
    open: go,
    replace: go,
    watch: (changed) => {
      watchers.add(changed);
      return () => {
        watchers.delete(changed);
      };
    },
  };
};

let frame: Frame | null = null;

/** The frame of these devtools; a page has only one. */
export const currentFrame = (): Frame =>
  frame ?? { root: document, host: document.documentElement, keys: window, address: pageAddress };

/** Sets the frame; null restores the page's. */
export const setFrame = (next: Frame | null): void => {
  frame = next;
};
