import { writeIndentedJson } from '../../../src/protocol/json.ts';

/** A result as indented JSON; integers beyond 2^53 keep all their digits. */
export const prettyJson = (value: unknown): string =>
  value === undefined ? 'undefined' : writeIndentedJson(value, 2);

/** Strings, which may contain what looks like a number, and numbers. */
const token = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

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
