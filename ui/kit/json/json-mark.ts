/** An error in a JSON text: in its syntax, or in one argument of its list. */
export type JsonMark = {
  /** Index of the argument; null for a syntax error. */
  readonly index: number | null;
  readonly text: string;
  readonly tone: 'bad' | 'warn';
};

/** Offsets in a text; `to` is exclusive. */
export type TextRange = { readonly from: number; readonly to: number };

const token = /"(?:[^"\\]|\\.)*"?|[[\]{},]|[^\s[\]{},"]+/g;

/** Ranges of the items of a JSON list in its text; empty for a text that is not a list. */
export const itemRanges = (text: string): readonly TextRange[] => {
  const items: TextRange[] = [];
  let depth = 0;
  let item: { from: number; to: number } | null = null;
  for (const { 0: sign, index } of text.matchAll(token)) {
    if (depth === 0 && sign !== '[') return [];
    const isEnd = sign === ']' || sign === '}';
    if (depth === 1 && (isEnd || sign === ',')) {
      if (item !== null) items.push(item);
      item = null;
    } else if (depth > 0) {
      item ??= { from: index, to: index };
      item.to = index + sign.length;
    }
    if (sign === '[' || sign === '{') depth += 1;
    else if (isEnd) depth -= 1;
    if (depth === 0) break;
  }
  if (item !== null) items.push(item);
  return items;
};

/** The range a mark underlines: the argument, the position named by a syntax error, or the whole text. */
export const markRange = (text: string, { index, text: message }: JsonMark): TextRange => {
  const all = { from: 0, to: text.length };
  if (index !== null) return itemRanges(text)[index] ?? all;
  const named = /position (\d+)/.exec(message)?.[1];
  if (named === undefined) return all;
  // Bare values are parsed as a list, with a bracket added in front.
  const start = text.length - text.trimStart().length - (/^\s*[[{]/.test(text) ? 0 : 1);
  const at = Math.min(Math.max(start + Number(named), 0), Math.max(text.length - 1, 0));
  return { from: at, to: Math.min(at + 1, text.length) };
};

/** A run of text, with its error if any. */
export type MarkedRun = { readonly text: string; readonly mark: JsonMark | null };

/** Splits a text at the boundaries of its marks; of overlapping marks the first wins. */
export const markRuns = (text: string, marks: readonly JsonMark[]): readonly MarkedRun[] => {
  const ranges = marks
    .map((mark) => ({ mark, ...markRange(text, mark) }))
    .filter(({ from, to }) => to > from)
    .sort((a, b) => a.from - b.from);
  const runs: MarkedRun[] = [];
  let end = 0;
  for (const { mark, from, to } of ranges) {
    if (from < end) continue;
    runs.push({ text: text.slice(end, from), mark: null }, { text: text.slice(from, to), mark });
    end = to;
  }
  return [...runs, { text: text.slice(end), mark: null }].filter((run) => run.text !== '');
};
