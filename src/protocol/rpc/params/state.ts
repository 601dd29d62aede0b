import { enumText, readMembers, refuse, wrongType } from '../decoder-text.ts';
import type { Param } from '../define.ts';
import { param, parseHash } from './params.ts';

/** A query about one key; hex strings are parsed by the handlers, because their errors differ. */
export type StorageItem = {
  readonly key: string;
  readonly type:
    | 'value'
    | 'hash'
    | 'closestDescendantMerkleValue'
    | 'descendantsValues'
    | 'descendantsHashes';
  readonly paginationStartKey?: string | null;
};
export type DiffItem = {
  readonly key?: string | null;
  readonly returnType: 'value' | 'hash';
  readonly childTrieKey?: string | null;
};

/** The allowed values of a member (any string if absent), and whether it is required. */
type Member = { readonly values?: readonly string[]; readonly isNeeded?: true };

const readMember = (value: unknown, { values, isNeeded }: Member): unknown => {
  if (value === null && isNeeded !== true) return null;
  if (values !== undefined) return enumText(value, values);
  return typeof value === 'string' ? value : wrongType(value, 'a string');
};

/** A list of objects with string members. */
const readItems = (value: unknown, name: string, members: Readonly<Record<string, Member>>): unknown[] => {
  if (!Array.isArray(value)) return wrongType(value, 'a sequence');
  const parsers = Object.fromEntries(
    Object.entries(members).map(([key, member]) => [key, (given: unknown) => readMember(given, member)]),
  );
  return value.map((item) =>
    typeof item === 'object' && item !== null
      ? readMembers(item, parsers, undefined, (key) => members[key]?.isNeeded !== true)
      : wrongType(item, `struct ${name}`),
  );
};

const itemMembers: Readonly<Record<string, Member>> = {
  key: { isNeeded: true },
  type: {
    values: ['value', 'hash', 'closestDescendantMerkleValue', 'descendantsValues', 'descendantsHashes'],
    isNeeded: true,
  },
  paginationStartKey: {},
};
const diffMembers: Readonly<Record<string, Member>> = {
  key: {},
  returnType: { values: ['value', 'hash'], isNeeded: true },
  childTrieKey: {},
};

export const storageItems = (): Param<StorageItem[], readonly StorageItem[]> =>
  param('storageItems', (value) => readItems(value, 'StorageQuery', itemMembers) as StorageItem[]);

export const diffItems = (): Param<DiffItem[], readonly DiffItem[]> =>
  param('diffItems', (value) => readItems(value, 'ArchiveStorageDiffItem', diffMembers) as DiffItem[]);

const hashText = /^(0x)?[0-9a-fA-F]{64}$/;

/** One hash, or a list of them (the SDK's `ListOrValue`). */
export const hashes = (): Param<string[], string | readonly string[]> =>
  param('hashes', (value) => {
    const list: unknown[] = Array.isArray(value) ? value : [value];
    return list.every((one) => typeof one === 'string' && hashText.test(one))
      ? list.map(parseHash)
      : refuse('data did not match any variant of untagged enum ListOrValue');
  });
