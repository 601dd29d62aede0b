import { holdLock } from '../protocol/port.ts';

const key = 'tabnode.tab';
/** A page that reloads finds the lock of its former self for a moment. */
const patienceMs = 1500;

const lockOf = (id: string): string => `tabnode.tab:${id}`;

/** Resolves to whether this page is the only one with the id, and keeps it for the page's life. */
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

/**
 * What identifies this tab to its bridge, also after a reload. `isCopy`: the tab was duplicated, with all that it
 * keeps, from one that is still open; then the id is a new one.
 */
export const claimTab = async (): Promise<{ readonly id: string; readonly isCopy: boolean }> => {
  const kept = sessionStorage.getItem(key);
  if (kept !== null && (await claim(kept))) return { id: kept, isCopy: false };
  const id = crypto.randomUUID();
  sessionStorage.setItem(key, id);
  await claim(id);
  return { id, isCopy: kept !== null };
};
