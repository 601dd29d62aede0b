import type { Param } from './define.ts';
import { at, param, refuse, wrongType } from './params.ts';

/** What is asked of a key; hex texts are read by the handlers, whose errors differ. */
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

/** A member's values (none listed: any text), and whether it must be there. */
type Member = { readonly values?: readonly string[]; readonly isNeeded?: true };

const checkMember = (value: unknown, { values, isNeeded }: Member, before: number): void => {
  if (value === null && isNeeded !== true) return;
  if (typeof value !== 'string')
    wrongType(value, values === undefined ? 'a string' : 'string or map', before);
  if (values === undefined || values.includes(value as string)) return;
  const names = values.map((name) => `\`${name}\``);
  refuse(
    `unknown variant \`${value}\`, expected ${names.length === 2 ? names.join(' or ') : `one of ${names.join(', ')}`} ${at(value, before)}`,
  );
};

const lengthOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;

/** A list of objects with text members; columns are those of the shortest JSON, as the SDK's decoder counts them. */
const readItems = (value: unknown, name: string, members: Readonly<Record<string, Member>>): unknown[] => {
  if (!Array.isArray(value)) return wrongType(value, 'a sequence');
  let before = 1;
  for (const item of value as unknown[]) {
    if (typeof item !== 'object' || item === null) wrongType(item, `struct ${name}`, before);
    let column = before + 1;
    for (const [key, given] of Object.entries(item as object)) {
      column += lengthOf(key) + 1;
      if (Object.hasOwn(members, key)) checkMember(given, members[key] as Member, column);
      column += lengthOf(given) + 1;
    }
    before += lengthOf(item) + 1;
    for (const [key, { isNeeded }] of Object.entries(members))
      if (isNeeded === true && !Object.hasOwn(item as object, key))
        refuse(`missing field \`${key}\` at line 1 column ${before - 1}`);
  }
  return value;
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
