import { holdLock } from '../protocol/port.ts';

const key = 'tabnode.tab';
/** A reloaded page may find the lock of its previous instance still held for a moment. */
const patienceMs = 1500;

const lockOf = (id: string): string => `tabnode.tab:${id}`;

/**
 * Resolves to whether this page is the only one with the id; if so, holds the lock for the page's lifetime.
 */
const claim = (id: string): Promise<boolean> =>
  new Promise((resolve) => {
    const alive = new AbortController();
    const timer = setTimeout(() => {
      alive.abort();
      resolve(false);
    }, patienceMs);
    holdLock(lockOf(id), alive.signal, () => {
      clearTimeout(timer);
      resolve(true);
    });
  });

type Tab = { readonly id: string; readonly isCopy: boolean };

const claimOnce = async (): Promise<Tab> => {
  const kept = sessionStorage.getItem(key);
  if (kept !== null && (await claim(kept))) return { id: kept, isCopy: false };
  const id = crypto.randomUUID();
  sessionStorage.setItem(key, id);
  await claim(id);
  return { id, isCopy: kept !== null };
};

let claimed: Promise<Tab> | null = null;

/**
 * Returns an id that identifies this tab to its bridge, even after a reload. `isCopy`: the tab was
 * duplicated, with its session storage, from one that is still open, and has a new id. Only the first caller is
 * told so: what the others find in the storage is this tab's own.
 */
export const claimTab = async (): Promise<Tab> => {
  if (claimed !== null) return { id: (await claimed).id, isCopy: false };
  claimed = claimOnce();
  return claimed;
};
