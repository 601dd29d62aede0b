import { writeJson } from '../../../src/protocol/json.ts';
/** A value as JavaScript source. `big` writes integers beyond 2^53, which would lose digits as numbers. */
export const jsText = (value: unknown, big: (value: bigint) => string): string => {
  if (typeof value === 'bigint') return big(value);
  if (Array.isArray(value)) return `[${value.map((item) => jsText(item, big)).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(([name, item]) => `${keyText(name)}: ${jsText(item, big)}`);
    return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
  }
  return writeJson(value ?? null);
};

/** An object key, quoted unless it is an identifier; a plain `__proto__` would set the prototype. */
const keyText = (name: string): string =>
  name === '__proto__' ? '["__proto__"]' : /^[A-Za-z_]\w*$/.test(name) ? name : writeJson(name);

/** For code that takes bigints. */
export const asBigint = (value: bigint): string => `${value}n`;

/** For code that sends JSON, where the node accepts amounts as text too. */
export const asText = (value: bigint): string => `"${value}"`;

export const hasBigint = (value: unknown): boolean =>
  typeof value === 'bigint' ||
  (typeof value === 'object' && value !== null && Object.values(value).some(hasBigint));
