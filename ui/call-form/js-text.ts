import { writeJson } from '../../src/protocol/json.ts';

/**
 * A value as JavaScript source, for code that sends JSON. Integers beyond 2^53, which would lose digits as numbers, are
 * text: the node accepts amounts as text too.
 */
export const jsText = (value: unknown): string => {
  if (typeof value === 'bigint') return `"${value}"`;
  if (Array.isArray(value)) return `[${value.map(jsText).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(([name, item]) => `${keyText(name)}: ${jsText(item)}`);
    return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
  }
  return writeJson(value ?? null);
};

/** An object key, quoted unless it is an identifier; a plain `__proto__` would set the prototype. */
const keyText = (name: string): string =>
  name === '__proto__' ? '["__proto__"]' : /^[A-Za-z_]\w*$/.test(name) ? name : writeJson(name);

export const hasBigint = (value: unknown): boolean =>
  typeof value === 'bigint' ||
  (typeof value === 'object' && value !== null && Object.values(value).some(hasBigint));
