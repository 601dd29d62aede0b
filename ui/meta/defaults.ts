import { fieldsEntry, isByte } from './entries.ts';
import type { Fields, Json, LookupEntry } from './types.ts';

const emptyBytes = (count: number): string => `0x${'00'.repeat(count)}`;

const maxDepth = 8;

/** The initial form value of a variant's fields; null if it has none. */
export const defaultFields = (fields: Fields, depth = 0): Json => {
  const entry = fieldsEntry(fields);
  return entry === null ? null : defaultJson(entry, depth + 1);
};

/** The variant as JSON: only its name if it has no fields. */
export const variantJson = (name: string, fields: Fields | undefined, depth = 0): Json =>
  fields === undefined || fields.type === 'void' ? name : { [name]: defaultFields(fields, depth) };

/** The initial form value of a type: zero, empty, none, or the first variant. */
export const defaultJson = (entry: LookupEntry, depth = 0): Json => {
  if (depth > maxDepth) return null;
  switch (entry.type) {
    case 'primitive':
      return entry.value === 'bool' ? false : entry.value === 'str' || entry.value === 'char' ? '' : 0;
    case 'compact':
      return 0;
    case 'void':
    case 'option':
      return null;
    case 'bitSequence':
      return '0b';
    case 'AccountId32':
      return '';
    case 'AccountId20':
      return emptyBytes(20);
    case 'sequence':
      return isByte(entry.value) ? '0x' : [];
    case 'array':
      return isByte(entry.value)
        ? emptyBytes(entry.len)
        : Array.from({ length: entry.len }, () => defaultJson(entry.value, depth + 1));
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
      return variantJson(name, fields, depth + 1);
    }
  }
};

/** The variant most users want, such as `Id` of an address, or the one with the lowest index. */
const firstVariant = (entry: Extract<LookupEntry, { type: 'enum' }>): readonly [string?, Fields?] => {
  const pairs = Object.entries(entry.value);
  return pairs.find(([name]) => name === 'Id') ?? pairs.sort((a, b) => a[1].idx - b[1].idx)[0] ?? [];
};
