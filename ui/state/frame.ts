/** Where the devtools keep their place: the page's address, or a text of their own. */
export type Address = {
  /** As `location.hash` has it. */
  read(): string;
  /** Goes somewhere, as a link does. */
  open(link: string): void;
  /** The same without a step in the history. */
  replace(link: string): void;
  watch(changed: () => void): () => void;
};

/** What the devtools are mounted in: the whole page, or a part of somebody else's that they must not reach out of. */
export type Frame = {
  /** Where elements are looked for. */
  readonly root: Document | ShadowRoot;
  /** Bears the colours. */
  readonly host: HTMLElement;
  /** Hears the keys. */
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

/** An address that only the devtools see: the page around them has its own. */
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

/** The frame of these devtools; there is one in a page. */
export const currentFrame = (): Frame =>
  frame ?? { root: document, host: document.documentElement, keys: window, address: pageAddress };

/** Sets the frame, or gives it back to the page. */
export const setFrame = (next: Frame | null): void => {
  frame = next;
};
