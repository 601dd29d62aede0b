import { byteCountOf, fieldsEntry } from './entries.ts';
import type { EntryOf, Fields, Json, LookupEntry } from './types.ts';

const maxDepth = 8;

/** The initial form value of a type: zero, empty, none, or the first variant. */
export const defaultJson = (entry: LookupEntry, depth = 0): Json => {
  if (depth > maxDepth) return null;
  const count = byteCountOf(entry);
  if (count !== undefined) return `0x${'00'.repeat(count ?? 0)}`;
  switch (entry.type) {
    case 'primitive':
      return entry.value === 'bool' ? false : entry.value === 'str' || entry.value === 'char' ? '' : 0;
    case 'compact':
      return 0;
    case 'void':
    case 'AccountId20': // has a number of bytes
    case 'option':
      return null;
    case 'bitSequence':
      return '0b';
    case 'AccountId32':
      return '';
    case 'sequence':
      return [];
    case 'array':
      return Array.from({ length: entry.len }, () => defaultJson(entry.value, depth + 1));
    case 'tuple':
      return entry.value.map((inner) => defaultJson(inner, depth + 1));
    case 'struct':
      return Object.fromEntries(
        Object.entries(entry.value).map(([label, inner]) => [label, defaultJson(inner, depth + 1)]),
      );
    case 'result':
      return { Ok: defaultJson(entry.value.ok, depth + 1) };
    case 'enum': {
      const [name = '', fields] = firstVariant(entry);
      const inner = fields === undefined ? null : fieldsEntry(fields);
      return inner === null ? name : { [name]: defaultJson(inner, depth + 2) };
    }
  }
};

/** The variant most users want, such as `Id` of an address, or the one with the lowest index. */
const firstVariant = (entry: EntryOf<'enum'>): readonly [string?, Fields?] => {
  const pairs = Object.entries(entry.value);
  return pairs.find(([name]) => name === 'Id') ?? pairs.sort((a, b) => a[1].idx - b[1].idx)[0] ?? [];
};
