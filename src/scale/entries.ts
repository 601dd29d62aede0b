import type { EntryOf, Json, LookupEntry, VariantEntry } from './types.ts';

/** Whether a type is `u8`: a list of these is written as a 0x string. */
export const isByte = (entry: LookupEntry): boolean => entry.type === 'primitive' && entry.value === 'u8';

/** Number of bytes of a value that is written as a 0x string: null for any, undefined for other values. */
export const byteCountOf = (entry: LookupEntry): number | null | undefined => {
  if (entry.type === 'AccountId20') return 20;
  if ((entry.type !== 'array' && entry.type !== 'sequence') || !isByte(entry.value)) return undefined;
  return entry.type === 'array' ? entry.len : null;
};

/** Type of a whole number, such as `u32`; null for other values. */
export const integerType = (entry: LookupEntry): string | null => {
  if (entry.type === 'compact') return entry.size;
  return entry.type === 'primitive' && /^[iu]\d/.test(entry.value) ? entry.value : null;
};

/** Joins the lines of metadata docs. */
export const docsText = (lines: readonly string[] = []): string => lines.join('\n').trim();

/** Where a part is in a value: `calls[3].dest`. */
export const pathText = (path: readonly (string | number)[], start = ''): string =>
  path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`),
    start,
  );

/** The place of a bit in the bytes of a sequence: its byte, and its weight there. */
export const bitPlace = (index: number, isLSB: boolean, storeBits: number): readonly [number, number] => {
  if (isLSB) return [index >> 3, 1 << (index & 7)];
  // Integers are little-endian: the highest bit of each is in its last byte.
  const within = storeBits - 1 - (index % storeBits);
  return [(Math.floor(index / storeBits) * storeBits) / 8 + (within >> 3), 1 << (within & 7)];
};

export const bitAt = (bytes: Uint8Array, index: number, isLSB: boolean, storeBits: number): boolean => {
  const [at, bit] = bitPlace(index, isLSB, storeBits);
  return ((bytes[at] ?? 0) & bit) !== 0;
};

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
      const [name = '', { inner } = { inner: null }] = firstVariant(entry);
      return inner === null ? name : { [name]: defaultJson(inner, depth + 2) };
    }
  }
};

/** The variant most users want, such as `Id` of an address, or the one with the lowest index. */
const firstVariant = (entry: EntryOf<'enum'>): readonly [string?, VariantEntry?] => {
  const pairs = Object.entries(entry.value);
  return pairs.find(([name]) => name === 'Id') ?? pairs.sort((a, b) => a[1].idx - b[1].idx)[0] ?? [];
};
