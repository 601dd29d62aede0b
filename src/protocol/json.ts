/** JSON text with integers of any size: beyond 2^53 they are read as bigint and written digit for digit. */

const mayHaveBig = /[[:,\s]-?\d{16}/;
/** Integers with fewer digits are exact as they are. */
const bigDigits = 16;
/** More digits than any integer of a runtime has. A longer number is read as `JSON.parse` reads it. */
const maxDigits = 100;

const quote = 0x22;
const backslash = 0x5c;

/**
 * The position after a string that begins at `start`, in valid JSON. Each character is read once: a search for the
 * next quote is slow in a string of escaped ones.
 */
export const skipString = (text: string, start: number): number => {
  for (let at = start + 1; ; at += 1) {
    const code = text.charCodeAt(at);
    if (code === backslash) at += 1;
    else if (code === quote) return at + 1;
  }
};

/** Whether a character code belongs to a number: `+-.0123456789eE`. */
export const isNumeric = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) ||
  code === 0x2d ||
  code === 0x2e ||
  code === 0x65 ||
  code === 0x45 ||
  code === 0x2b;

const skipNumber = (text: string, start: number): number => {
  let end = start + 1;
  while (isNumeric(text.charCodeAt(end))) end += 1;
  return end;
};

const isBig = (token: string): boolean =>
  token.length <= maxDigits && /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token));

/** Valid JSON with each integer that a number cannot hold written as a string that begins with `mark`. */
const markText = (text: string, mark: string): string => {
  const parts: string[] = [];
  let done = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === quote) at = skipString(text, at);
    else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      const end = skipNumber(text, at);
      const token = end - at >= bigDigits ? text.slice(at, end) : '';
      if (token !== '' && isBig(token)) {
        parts.push(text.slice(done, at), `"${mark}${token}"`);
        done = end;
      }
      at = end;
    } else at += 1;
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(done);
};

type Container = Record<string | number, unknown>;

/** Replaces marked strings by integers. Not recursive: the value may be nested as deep as its text is long. */
const reviveAll = (root: unknown, mark: string): unknown => {
  const holder: Container = { root };
  const open: Container[] = [holder];
  const reviveAt = (container: Container, key: string | number): void => {
    const value = container[key];
    if (typeof value === 'object' && value !== null) open.push(value as Container);
    else if (typeof value === 'string' && value.startsWith(mark))
      container[key] = BigInt(value.slice(mark.length));
  };
  for (let at = open.pop(); at !== undefined; at = open.pop())
    if (Array.isArray(at)) for (let index = 0; index < at.length; index += 1) reviveAt(at, index);
    else for (const key of Object.keys(at)) reviveAt(at, key);
  return holder['root'];
};

/** Random, so that no string of the text begins like this. */
const createMark = (): string => `integer ${Math.random()}:`;

/** Like `JSON.parse`, but exact for integers. Throws a SyntaxError. */
export const parseJson = (text: string): unknown => {
  const plain: unknown = JSON.parse(text);
  if (!mayHaveBig.test(text)) return plain;
  const mark = createMark();
  const marked = markText(text, mark);
  return marked === text ? plain : reviveAll(JSON.parse(marked), mark);
};

/** `parseJson` with a pause after each pass over the text. */
export const parseJsonInSteps = async (text: string, pause: () => Promise<void> | null): Promise<unknown> => {
  const plain: unknown = JSON.parse(text);
  await pause();
  if (!mayHaveBig.test(text)) return plain;
  await pause();
  const mark = createMark();
  const marked = markText(text, mark);
  if (marked === text) return plain;
  await pause();
  const read: unknown = JSON.parse(marked);
  await pause();
  return reviveAll(read, mark);
};

const mark = '\u0000integer:';
const markBig = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? `${mark}${value}` : value;
const markedBig = /"\\u0000integer:(-?\d+)"/g;

const write = (value: unknown, indent?: number): string => {
  try {
    return JSON.stringify(value, undefined, indent) ?? 'null';
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return (JSON.stringify(value, markBig, indent) ?? 'null').replace(markedBig, '$1');
  }
};

/** Like `JSON.stringify`, but also writes bigint as integers. A value without a JSON form becomes null. */
export const writeJson = (value: unknown): string => write(value);

/** The same with each member on a line of its own, indented by so many spaces per level. */
export const writeIndentedJson = (value: unknown, indent: number): string => write(value, indent);

/**
 * Writes a value that came from a client; null if it is nested deeper than the engine can write (`JSON.parse`
 * reads any depth).
 */
export const writeGivenJson = (value: unknown): string => {
  try {
    return writeJson(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return 'null';
  }
};
