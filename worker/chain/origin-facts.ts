/** Readers of what is said of a live chain: by an endpoint, or by who wrote a pack. */

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null ? (value as Members) : {};

const longestName = 100;
/** Control characters, and those that change how the text around them is shown. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** A name as a page or a terminal may show it; null: it is none. */
export const readName = (value: unknown): string | null => {
  // `system_chainType` returns an object for a custom type.
  const text = typeof value === 'object' ? Object.values(membersOf(value))[0] : value;
  const name = typeof text === 'string' ? text.slice(0, longestName).replaceAll(unprintable, '') : '';
  return name === '' ? null : name;
};

/** Those of all known chains take less than 1 kB. */
const longestProperties = 16_384;
/** Lists of names and decimals, and objects of them. */
const deepest = 4;

/** The characters that a value takes as JSON, or a bit more; infinite if it is too deep. */
const sizeOf = (value: unknown, depth: number): number => {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 24;
  if (depth === 0) return Number.POSITIVE_INFINITY;
  let size = 2;
  for (const [name, member] of Object.entries(value)) {
    size += name.length + 4 + sizeOf(member, depth - 1);
    if (size > longestProperties) break;
  }
  return size;
};

/** The properties of a chain; none if they are unreasonably many, long or deep. */
export const readProperties = (value: unknown): Members => {
  const members = Array.isArray(value) ? {} : membersOf(value);
  return sizeOf(members, deepest) > longestProperties ? {} : members;
};
