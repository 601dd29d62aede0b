import type { Decoded } from '../../../../src/scale/types.ts';

/**
 * Reduces all offsets of a decoded value by `by`, so that a part of a larger value can be shown with its own
 * bytes.
 */
export const rebase = (value: Decoded, by: number): Decoded => {
  const place = { start: value.start - by, end: value.end - by };
  switch (value.kind) {
    case 'some':
      return { ...value, ...place, value: rebase(value.value, by) };
    case 'variant':
      return { ...value, ...place, value: value.value === null ? null : rebase(value.value, by) };
    case 'struct': {
      const fields = value.fields.map((field) => ({ ...field, value: rebase(field.value, by) }));
      return { ...value, ...place, fields };
    }
    case 'list':
      return { ...value, ...place, items: value.items.map((item) => rebase(item, by)) };
    default:
      return { ...value, ...place };
  }
};
