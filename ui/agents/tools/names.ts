import { NodeError } from '../../../src/protocol/errors.ts';
import { type CallMeta, palletCalls } from '../../../src/scale/calls.ts';
import { type StorageEntry, storageEntries } from '../../../src/scale/storage.ts';
import type { PalletMeta, RuntimeMeta } from '../../../src/scale/types.ts';

const bare = (name: string): string => name.replaceAll('_', '').toLowerCase();

const mostNames = 60;

const listed = (names: readonly string[]): string => {
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  return names.length === 0 ? 'none' : `${names.slice(0, mostNames).join(', ')}${more}`;
};

/** Finds an item, ignoring capitals and underscores. Throws `Unsupported`, which lists the names. */
const need = <T extends { readonly name: string }>(
  where: string,
  what: string,
  items: readonly T[],
  wanted: string,
): T => {
  const found =
    items.find(({ name }) => name === wanted) ?? items.find(({ name }) => bare(name) === bare(wanted));
  if (found !== undefined) return found;
  const names = listed(items.map(({ name }) => name));
  throw new NodeError('Unsupported', `${where} has no ${what} ${wanted}; there are ${names}`);
};

export const needPallet = ({ metadata }: RuntimeMeta, name: string): PalletMeta =>
  need('The runtime', 'pallet', metadata.pallets, name);

export const needCall = (meta: RuntimeMeta, pallet: string, name: string): CallMeta => {
  const { name: of } = needPallet(meta, pallet);
  return need(`The pallet ${of}`, 'call', palletCalls(meta, of), name);
};

export const needEntry = (meta: RuntimeMeta, pallet: string, name: string): StorageEntry => {
  const { name: of } = needPallet(meta, pallet);
  return need(`The pallet ${of}`, 'storage entry', storageEntries(meta, of), name);
};
