import { NodeError } from '../../../src/protocol/errors.ts';
import { type CallMeta, findCall, palletCalls } from '../../meta/calls.ts';
import { type StorageEntry, storageEntries } from '../../meta/storage.ts';
import type { PalletMeta, RuntimeMeta } from '../../meta/types.ts';

const bare = (name: string): string => name.replaceAll('_', '').toLowerCase();

const mostNames = 60;

const listed = (names: readonly string[]): string => {
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  return names.length === 0 ? 'none' : `${names.slice(0, mostNames).join(', ')}${more}`;
};

const byName = <T extends { readonly name: string }>(items: readonly T[], name: string): T | undefined =>
  items.find((item) => item.name === name) ?? items.find((item) => bare(item.name) === bare(name));

/**
 * Finds an item by name, ignoring capitals and underscores. Throws `Unsupported`, which lists the available
 * names.
 */
export const needPallet = ({ metadata }: RuntimeMeta, name: string): PalletMeta => {
  const found = byName(metadata.pallets, name);
  if (found !== undefined) return found;
  const names = listed(metadata.pallets.map((pallet) => pallet.name));
  throw new NodeError('Unsupported', `The runtime has no pallet ${name}; there are ${names}`);
};

export const needCall = (meta: RuntimeMeta, pallet: string, name: string): CallMeta => {
  const { name: of } = needPallet(meta, pallet);
  const calls = palletCalls(meta, of);
  const found = findCall(meta, of, name) ?? byName(calls, name);
  if (found !== undefined) return found;
  const names = listed(calls.map((call) => call.name));
  throw new NodeError('Unsupported', `The pallet ${of} has no call ${name}; there are ${names}`);
};

export const needEntry = (meta: RuntimeMeta, pallet: string, name: string): StorageEntry => {
  const { name: of } = needPallet(meta, pallet);
  const entries = storageEntries(meta, of);
  const found = byName(entries, name);
  if (found !== undefined) return found;
  const names = listed(entries.map((entry) => entry.name));
  throw new NodeError('Unsupported', `The pallet ${of} has no storage entry ${name}; there are ${names}`);
};
