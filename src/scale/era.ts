import type { Decoded } from './types.ts';

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
