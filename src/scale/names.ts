import type { Decoded, LookupEntry } from './types.ts';

/** Sorts by name as a reader does: by the rules of the language, whatever the case, and `X2` before `X10`. */
export const sortByName = <T>(list: readonly T[], nameOf: (one: T) => string): readonly T[] => {
  const { compare } = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
  return list.toSorted((a, b) => compare(nameOf(a), nameOf(b)));
};

/**
 * `Balances.transfer_keep_alive` for a decoded call, `Balances.Transfer` for an event; null for other values.
 */
export const callName = (call: Decoded): string | null => readVariant(call)?.name ?? null;

export const eventName = (event: Decoded): string | null => callName(event);

/** A field of a struct, or of the struct inside a variant. */
export const fieldOf = (value: Decoded | null | undefined, label: string): Decoded | null => {
  if (value?.kind === 'struct') return value.fields.find((field) => field.label === label)?.value ?? null;
  if (value?.kind === 'variant') return fieldOf(value.value, label);
  return null;
};

/** Name and fields of a decoded call or event; null for other values. */
export const readVariant = (
  of: Decoded,
): { readonly name: string; readonly fields: Decoded | null } | null =>
  of.kind === 'variant' && of.value?.kind === 'variant'
    ? { name: `${of.name}.${of.value.name}`, fields: of.value.value }
    : null;

/** A type in an error message: its name, or its shape. */
export const describeEntry = (entry: LookupEntry): string => {
  const name = entry.path.at(-1);
  if (name !== undefined) return name;
  switch (entry.type) {
    case 'primitive':
      return entry.value;
    case 'compact':
      return entry.size;
    case 'sequence':
    case 'array': {
      const isBytes = entry.value.type === 'primitive' && entry.value.value === 'u8';
      if (entry.type === 'sequence') return isBytes ? 'Bytes' : 'list';
      return isBytes ? `[u8; ${entry.len}]` : `list of ${entry.len}`;
    }
    case 'tuple':
      return `tuple of ${entry.value.length}`;
    case 'bitSequence':
      return 'bit sequence';
    default:
      return entry.type;
  }
};

/** A type's description with its article: `an AccountId32`, `a u32`. */
export const oneOf = (description: string): string =>
  `${/^[aeio]/i.test(description) ? 'an' : 'a'} ${description}`;

/** Unwraps structs and tuples with a single field. */
export const leafOf = (value: Decoded | null): Decoded | null => {
  if (value?.kind === 'struct' && value.fields.length === 1) return leafOf(value.fields[0]?.value ?? null);
  if (value?.kind === 'list' && value.isTuple && value.items.length === 1)
    return leafOf(value.items[0] ?? null);
  return value;
};

/**
 * Period and phase, in blocks, of a mortal era: the variant `Mortal<first byte>(second byte)`
 * (sp_runtime::generic::Era). Null for an immortal one.
 */
export const readEra = (
  era: Decoded | null | undefined,
): { readonly period: number; readonly phase: number } | null => {
  const value = leafOf(era ?? null);
  const [, low] = (value?.kind === 'variant' && /^Mortal(\d+)$/.exec(value.name)) || [];
  if (value?.kind !== 'variant' || low === undefined) return null;
  const high = leafOf(value.value);
  const word = Number(low) | ((high?.kind === 'number' ? Number(high.value) : 0) << 8);
  const period = 2 << (word & 15);
  return { period, phase: (word >> 4) * Math.max(1, period >> 12) };
};
