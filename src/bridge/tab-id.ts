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

const claimOnce = async (): Promise<string> => {
  const kept = sessionStorage.getItem(key);
  if (kept !== null && (await claim(kept))) return kept;
  const id = crypto.randomUUID();
  sessionStorage.setItem(key, id);
  await claim(id);
  return id;
};

let claimed: Promise<string> | null = null;

/**
 * Returns an id that identifies this tab to its bridge, even after a reload. A tab that was duplicated, with its
 * session storage, from one that is still open gets a new id.
 */
export const claimTab = (): Promise<string> => {
  claimed ??= claimOnce();
  return claimed;
};
