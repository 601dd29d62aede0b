import { saveAtEnd } from './disposable.svelte.ts';
import type { Guard } from './guards.ts';
import { readKeptList, writeKeptList } from './kept.ts';

const writeDelayMs = 300;

type Options<T> = {
  /** `sessionStorage` for a list of this window, written when it closes; `localStorage` for one that tabs share. */
  readonly store: Storage;
  /** Null if the list is not kept. */
  readonly key: string | null;
  readonly isMember: Guard<T>;
  /** Maximum characters; the last members that do not fit are left out. */
  readonly limit: number;
  /** The members as they are stored, without secrets. */
  readonly list: () => readonly unknown[];
  /** What is stored if the browser has no room for `list`; without it, what was stored before stays. */
  readonly fewer?: () => readonly unknown[];
  /** The JSON text of a member, if it is cached. */
  readonly textOf?: (member: unknown) => string;
  /** Called when another tab has stored the list: adds what this one does not have. */
  readonly merge?: () => void;
  /** When the list is no longer used. */
  readonly ended: AbortSignal | undefined;
};

export type Persisted<T> = {
  /** The valid members that are stored. */
  readonly read: () => readonly T[];
  /** The list has changed: it is written when the window closes. */
  readonly changed: () => void;
  /** The list has changed: it is written soon. */
  readonly writeSoon: () => void;
  readonly write: () => void;
};

/** A list that outlives a reload of the page. */
export const persisted = <T extends { readonly id: unknown }>(options: Options<T>): Persisted<T> => {
  const { store, key, isMember, limit, list, fewer, textOf, merge, ended } = options;
  let isChanged = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const write = (): void => {
    clearTimeout(timer);
    timer = undefined;
    isChanged = false;
    if (key === null) return;
    for (const members of fewer ? [list, fewer] : [list]) {
      try {
        writeKeptList(store, key, members(), limit, textOf);
        return;
      } catch {
        // The storage is full.
      }
    }
  };
  if (ended && key !== null) {
    // Otherwise another tab may have stored the list since.
    saveAtEnd(ended, () => {
      if (isChanged || store === sessionStorage) write();
    });
    if (merge) addEventListener('storage', (event) => event.key === key && merge(), { signal: ended });
  }
  const changed = (): void => {
    isChanged = true;
  };
  return {
    read: () => (key === null ? [] : (readKeptList(store, key, isMember) ?? [])),
    changed,
    writeSoon: () => {
      changed();
      timer ??= setTimeout(write, writeDelayMs);
    },
    write,
  };
};
