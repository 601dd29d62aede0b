import type { Finding } from './findings.ts';

const opening = /<(button|IconButton|ConfirmButton)\b/g;

/** The opening tag that begins here, to its `>` outside of braces and quotes. */
const tagAt = (source: string, from: number): string => {
  let depth = 0;
  let quote = '';
  for (let at = from; at < source.length; at += 1) {
    const sign = source[at] as string;
    if (quote !== '') quote = sign === quote ? '' : quote;
    else if (sign === '"' && depth === 0) quote = sign;
    else if (sign === '{') depth += 1;
    else if (sign === '}') depth -= 1;
    else if (sign === '>' && depth === 0) return source.slice(from, at + 1);
  }
  return source.slice(from);
};

/**
 * The buttons of a Svelte component that may be disabled without a word: they have `disabled` and no `aria-describedby`. `kit/controls/Button.svelte` has a reason
 * (`why`) instead of `disabled`, and so do the other buttons of parts.
 */
export const findGreyButtons = (source: string): readonly Finding[] =>
  [...source.matchAll(opening)].flatMap(({ index }) => {
    const tag = tagAt(source, index);
    if (!/\sdisabled(?:=|\b)|\{disabled\}/.test(tag) || tag.includes('aria-describedby')) return [];
    return [{ line: source.slice(0, index).split('\n').length, text: tag.replace(/\s+/g, ' ') }];
  });
