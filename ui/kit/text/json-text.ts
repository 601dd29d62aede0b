import { writeIndentedJson } from '../../../src/protocol/json.ts';

/** A result as indented JSON; integers beyond 2^53 keep all their digits. */
export const prettyJson = (value: unknown): string =>
  value === undefined ? 'undefined' : writeIndentedJson(value, 2);

/** A part of a JSON text with its role, for coloring. */
export type JsonPart = { readonly kind: string; readonly text: string };

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Splits indented JSON into keys, strings, words and the rest. */
export const splitJson = (text: string): readonly JsonPart[] => {
  const parts: JsonPart[] = [];
  let end = 0;
  for (const match of text.matchAll(token)) {
    if (match.index > end) parts.push({ kind: 'plain', text: text.slice(end, match.index) });
    const kind = match[2] !== undefined ? 'key' : match[1] !== undefined ? 'string' : 'word';
    parts.push({ kind, text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ kind: 'plain', text: text.slice(end) });
  return parts;
};

/** The digits of a number and their exponent: those of equal numbers are equal. */
const exactForm = (number: string): string => {
  const [, sign = '', integer = '', after = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(number) ?? [];
  const digits = (integer + after).replace(/^0+/, '');
  const short = digits.replace(/0+$/, '');
  return short === ''
    ? integer
    : `${sign}${short}e${Number(power) - after.length + digits.length - short.length}`;
};

/** Throws for a number in a JSON text that JavaScript does not read as it is written, such as `1e400`. */
export const checkNumbers = (text: string): void => {
  for (const [number] of text.matchAll(token))
    if (/^-?\d+([.e]|\d{100})/i.test(number) && exactForm(number) !== exactForm(String(Number(number))))
      throw new SyntaxError(`${number} would lose digits when sent. Enter all digits of a whole number.`);
};

/** Splits a text at line ends into blocks of at least `size` characters, except for the last. */
export const splitLines = (text: string, size: number): readonly string[] => {
  const blocks: string[] = [];
  for (let from = 0; from < text.length; ) {
    const end = from + size >= text.length ? -1 : text.indexOf('\n', from + size);
    const next = end < 0 ? text.length : end + 1;
    blocks.push(text.slice(from, next));
    from = next;
  }
  return blocks;
};
