import { leaderLock, seizeLock } from './messages.ts';

/** The locks of the tabs that share the chain and have not released them. */
const heldLeads = async (chain: string): Promise<string[]> => {
  const prefix = leaderLock(chain, '');
  const { held = [] } = await navigator.locks.query();
  return held
    .map(({ name = '' }) => name)
    .filter((name) => name.startsWith(prefix) && !name.slice(prefix.length).includes(':'));
};

/**
 * Takes a chain from a tab that shares it and does not respond. One tab at a time tries, and first checks
 * whether another tab has already done so, and attaches to that one. Resolves to null if no tab shares the
 * chain, because it then belongs to a tab that does not share it.
 */
export const seizeLead = <T>(
  chain: string,
  attach: () => Promise<T>,
  startOwn: () => Promise<T>,
): Promise<T | null> =>
  navigator.locks.request(seizeLock(chain), async () => {
    const silent = await heldLeads(chain);
    if (silent.length === 0) return null;
    const attached = await attach().catch(() => null);
    if (attached !== null) return attached;
    // Attached tabs learn of its end, and so does the tab itself when it wakes up.
    for (const lock of silent) await navigator.locks.request(lock, { steal: true }, () => undefined);
    return startOwn();
  });
