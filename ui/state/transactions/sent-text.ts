import type { Decoded } from '../../meta/types.ts';
import { summaryText, type WriteAmount } from '../storage/summary.ts';

/**
 * The arguments of a decoded call in one line, as `{ dest: Id Bob, value: 5 UNIT }`; empty if it has none.
 */
export const argsText = (call: Decoded, amount: WriteAmount): string => {
  const inner = call.kind === 'variant' ? call.value : null;
  const args = inner?.kind === 'variant' ? inner.value : null;
  return args === null ? '' : summaryText(args, amount);
};
