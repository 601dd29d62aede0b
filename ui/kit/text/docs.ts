/** A part of a paragraph with one style. */
export type DocPart = { readonly text: string; readonly isCode: boolean };

/** A paragraph, a heading, one list item (with its bullet or number), or a block of code. */
export type DocBlock = {
  readonly kind: 'text' | 'heading' | 'item' | 'code';
  readonly parts: readonly DocPart[];
};

/** Inline code; a link with a target; a rustdoc link to an item; an escaped character. */
const marks =
  /`+([^`]+)`+|\[([^[\]]+)\](?:\([^)]*\)|\[[^\]]*\])|\[(`[^`]+`|(?:[A-Za-z_]\w*(?:::)?)+(?:\(\))?!?)\]|\\([\\`*_[\](){}#])/g;

/** Links point to rustdoc pages, which are not here: keep their text, and show item names as code. */
const readParts = (text: string): DocPart[] => {
  const parts: DocPart[] = [];
  let end = 0;
  for (const match of text.matchAll(marks)) {
    const [mark, code, link, name, escaped] = match;
    parts.push({ text: text.slice(end, match.index), isCode: false });
    end = match.index + mark.length;
    if (link !== undefined) parts.push(...readParts(link));
    else if (escaped !== undefined) parts.push({ text: escaped, isCode: false });
    else parts.push({ text: (code ?? name ?? '').replaceAll('`', ''), isCode: true });
  }
  parts.push({ text: text.slice(end), isCode: false });
  return parts.filter((part) => part.text !== '');
};

/** Removes the common indentation of code lines, which comes from rustdoc and from the comment. */
const dedent = (lines: readonly string[]): readonly string[] => {
  const first = lines.flatMap((line) => (line.trim() === '' ? [] : [line.search(/\S/)]));
  return lines.map((line) => line.slice(Math.min(...first)));
};

/** Parses rustdoc markdown of runtime docs for display: removes the markup and never produces HTML. */
export const readDocs = (docs: string): readonly DocBlock[] => {
  const blocks: { kind: DocBlock['kind']; lines: string[] }[] = [];
  let open: DocBlock['kind'] | null = null;
  const begin = (kind: DocBlock['kind'], ...lines: string[]): void => {
    blocks.push({ kind, lines });
    open = kind;
  };
  for (const raw of docs.split('\n')) {
    const line = raw.trim();
    const [, mark = '', rest = ''] = /^(#{1,6}|[-*+]|\d+[.)])\s+(.*)$/.exec(line) ?? [];
    if (/^(```|~~~)/.test(line)) {
      if (open === 'code') open = null;
      else begin('code');
    } else if (open === 'code') blocks.at(-1)?.lines.push(raw);
    // A blank line, a horizontal rule, or a link definition.
    else if (/^$|^([-=*])\1{2,}$|^\[[^\]]+\]:\s/.test(line)) open = null;
    else if (mark.startsWith('#')) {
      begin('heading', rest);
      open = null;
    } else if (mark !== '') begin('item', `${/^\d/.test(mark) ? mark : '•'} ${rest}`);
    else if (open === null) begin('text', line);
    else blocks.at(-1)?.lines.push(line);
  }
  return blocks.map(({ kind, lines }) => ({
    kind,
    parts:
      kind === 'code'
        ? [{ text: dedent(lines).join('\n'), isCode: true }]
        : readParts(
            lines.join(' ').replace(/\*\*(\S(?:.*?\S)?)\*\*|(?<![\w`])_(\w[^_`]*\w)_(?![\w`])/g, '$1$2'),
          ),
  }));
};

/** The first paragraph as one line of plain text; empty if there is none. */
export const docsLine = (docs: string): string =>
  readDocs(docs)[0]
    ?.parts.map(({ text }) => text)
    .join('') ?? '';
