import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const tableFolder = fileURLToPath(new URL('../src/protocol/rpc/', import.meta.url));
/** The functions of `define.ts` that take an entry of the table. */
const defines = ['call', 'subscription'];

type SyntaxNode = { readonly start: number; readonly end: number } & Readonly<Record<string, unknown>>;
const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'start' in value;
const nameOf = (value: unknown): string => (isNode(value) ? String(value['name']) : '');
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The properties of an object with these names; `a.b` names the property `b` of the object `a`. */
const propertiesOf = (object: unknown, names: readonly string[]): readonly SyntaxNode[] =>
  listOf(isNode(object) ? object['properties'] : null).flatMap((property) => {
    if (!isNode(property)) return [];
    const name = nameOf(property['key']);
    const inner = names.flatMap((one) => (one.startsWith(`${name}.`) ? [one.slice(name.length + 1)] : []));
    return names.includes(name) ? [property] : propertiesOf(property['value'], inner);
  });

/** The properties with these names of every entry, in the order of the source. */
const findProperties = (value: unknown, names: readonly string[]): readonly SyntaxNode[] => {
  if (Array.isArray(value)) return value.flatMap((item) => findProperties(item, names));
  if (!isNode(value)) return [];
  if (value['type'] !== 'CallExpression' || !defines.includes(nameOf(value['callee'])))
    return Object.values(value).flatMap((child) => findProperties(child, names));
  const [entry] = listOf(value['arguments']);
  return propertiesOf(entry, names);
};

/** The source without these properties of its entries; all other code stays as it is. */
export const cutEntries = (code: string, program: unknown, names: readonly string[]): string => {
  let rest = code;
  for (const { start, end } of findProperties(program, names).toReversed())
    rest = rest.slice(0, start) + rest.slice(end).replace(/^\s*,/, '');
  return rest;
};

/**
 * Removes these properties from the RPC method table. The worker does not need docs and result schemas, which take 12 kB
 * gzipped and require the schema library, half of the worker's evaluation time (20 of 40 ms in Node.js). The page shows the
 * arguments of the examples, not their results.
 */
export const tableWithout = (...names: readonly string[]): Plugin => ({
  name: 'tabnode:table-without',
  transform(code, id) {
    return id.startsWith(tableFolder) ? { code: cutEntries(code, this.parse(code), names), map: null } : null;
  },
});
