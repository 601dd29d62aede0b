import type { DenyUnsafe } from './node.ts';

/** Combines two settings: denies whatever either of them denies. */
export const stricter = (one: DenyUnsafe, other: DenyUnsafe): DenyUnsafe => {
  if (one === false || one === other) return other;
  return other === false ? one : true;
};
