import type { DenyUnsafe } from './node.ts';

/** What either of two settings denies. */
export const stricter = (one: DenyUnsafe, other: DenyUnsafe): DenyUnsafe => {
  if (one === false || one === other) return other;
  return other === false ? one : true;
};
