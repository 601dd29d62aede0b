import type { Decoded } from '../../../src/scale/types.ts';
import { summaryText } from '../storage/summary.ts';
import type { useToken } from '../token.svelte.ts';

/**
 * The arguments of a decoded call in one line, as `{ dest: Id Bob, value: 5 UNIT }`, with short and with exact
 * amounts; none if it has no arguments.
 */
export const argsTexts = (call: Decoded, token: ReturnType<typeof useToken>): readonly string[] => {
  const inner = call.kind === 'variant' ? call.value : null;
  const args = inner?.kind === 'variant' ? inner.value : null;
  if (args === null) return [];
  return [summaryText(args, (of) => token.short(of)), summaryText(args, (of) => token.text(of))];
};
