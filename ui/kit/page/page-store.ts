/** The part of `Storage` that the devtools use. */
export type PageStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** A store that never throws: values that the browser denies or has no room for last as long as the page. */
export const createPageStore = (open: () => PageStore): PageStore => {
  const own = new Map<string, string | null>();
  const stored = (key: string): string | null => {
    try {
      return open().getItem(key);
    } catch {
      return null;
    }
  };
  const change = (key: string, value: string | null): void => {
    try {
      if (value === null) open().removeItem(key);
      else open().setItem(key, value);
      own.delete(key);
    } catch {
      own.set(key, value);
    }
  };
  return {
    getItem: (key) => own.get(key) ?? (own.has(key) ? null : stored(key)),
    setItem: change,
    removeItem: (key) => change(key, null),
  };
};

const probe = { key: 'tabnode.probe', value: 'x'.repeat(4096) };

const works = (store: () => PageStore): boolean => {
  try {
    store().setItem(probe.key, probe.value);
    store().removeItem(probe.key);
    return true;
  } catch {
    return false;
  }
};

/** Replaces storage that is unavailable (browser settings) or full, so that the page still works. */
export const shieldStorage = (page: Window): void => {
  for (const name of ['localStorage', 'sessionStorage'] as const) {
    const found = Object.getOwnPropertyDescriptor(page, name);
    const open = (): PageStore => found?.get?.call(page) as PageStore;
    if (!works(open)) Object.defineProperty(page, name, { value: createPageStore(open), configurable: true });
  }
};
