import type { Decoded } from './types.ts';

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
