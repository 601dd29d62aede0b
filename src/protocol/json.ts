/** JSON text with integers of any size: beyond 2^53 they are read as bigint and written digit for digit. */

const mayHaveBig = /[[:,\s]-?\d{16,}/;
const stringOrBig = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|(?<![\w.+-])-?\d{16,}(?![\d.eE])/g;
const mark = '\u0000integer:';
const markedText = /^\0integer:-?\d+$/;

const reviveBig = (_key: string, value: unknown): unknown => {
  if (typeof value !== 'string' || !markedText.test(value)) return value;
  const big = BigInt(value.slice(mark.length));
  const small = Number(big);
  return Number.isSafeInteger(small) ? small : big;
};

/** `JSON.parse`, exact for integers. Throws a SyntaxError. */
export const parseJson = (text: string): unknown => {
  const plain: unknown = JSON.parse(text);
  if (!mayHaveBig.test(text)) return plain;
  const marked = text.replace(stringOrBig, (token) =>
    token.startsWith('"') ? token : `"\\u0000integer:${token}"`,
  );
  return JSON.parse(marked, reviveBig);
};

const markBig = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? `${mark}${value}` : value;
const markedBig = /"\\u0000integer:(-?\d+)"/g;

/** `JSON.stringify` that also writes bigint as integers. A value without JSON form becomes null. */
export const writeJson = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return (JSON.stringify(value, markBig) ?? 'null').replace(markedBig, '$1');
  }
};

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
