import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const tableFolder = fileURLToPath(new URL('../src/protocol/rpc/', import.meta.url));

type SyntaxNode = { readonly start: number; readonly end: number } & Readonly<Record<string, unknown>>;
const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'start' in value;

/** The outermost properties with these names. */
const findProperties = (value: unknown, names: readonly string[]): readonly SyntaxNode[] => {
  if (Array.isArray(value)) return value.flatMap((item) => findProperties(item, names));
  if (!isNode(value)) return [];
  const { key } = value;
  if (value['type'] === 'Property' && isNode(key) && names.includes(String(key['name']))) return [value];
  return Object.values(value).flatMap((child) => findProperties(child, names));
};

/**
 * Removes these properties from the RPC method table. The worker does not need docs and result schemas, which take 12 kB
 * gzipped and require the schema library, half of the worker's evaluation time (20 of 40 ms in Node.js).
 */
export const tableWithout = (...names: readonly string[]): Plugin => ({
  name: 'tabnode:table-without',
  transform(code, id) {
    if (!id.startsWith(tableFolder)) return null;
    let rest = code;
    for (const { start, end } of findProperties(this.parse(code), names).toReversed())
      rest = rest.slice(0, start) + rest.slice(end).replace(/^\s*,/, '');
    return { code: rest, map: null };
  },
});
