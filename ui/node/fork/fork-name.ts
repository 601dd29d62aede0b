import { groupDigits } from '../../kit/text/format.ts';
import type { ChainBook } from '../session/chain-book.svelte.ts';
import type { ChainEntry } from '../session/chain-entry.ts';

type Fork = { readonly name: string; readonly base: { readonly hash: string; readonly number: number } };

/** The name of a fork that nobody has named: "Fork of Polkadot at #25 000 000". */
export const forkName = ({ name, base }: Fork): string => `Fork of ${name} at #${groupDigits(base.number)}`;

/** Until the base is known; what follows it in the list distinguishes forks of the same block. */
const isAutomatic = (entry: ChainEntry, { name }: Fork): boolean => {
  // That of a pack is known only once it is open.
  if (/^Fork( \d+)?$/.test(entry.name)) return true;
  const prefix = `Fork of ${name}`;
  return (
    entry.name.startsWith(prefix) && /^( at #[\d\u202f]+)?( \d+)?$/.test(entry.name.slice(prefix.length))
  );
};

/**
 * Keeps the entry of a fork in the list true to its base, which a choice such as `finalized` determines and a rebase changes.
 * A name that was given to it stays.
 */
export const keepForkEntry = async (
  book: Pick<ChainBook, 'change' | 'rename'>,
  entry: ChainEntry,
  fork: Fork,
): Promise<void> => {
  const { origin, id } = entry;
  if (origin.kind !== 'fork') return;
  if (origin.block !== fork.base.hash)
    await book.change(id, { origin: { ...origin, block: fork.base.hash } });
  const name = forkName(fork);
  if (isAutomatic(entry, fork) && !entry.name.startsWith(name)) await book.rename(id, name);
};
