import { parseJson, writeJson } from '../../../src/protocol/json.ts';

/** A call as typed. */
export type CallWords = { readonly id: number; readonly method: string; readonly params: string };

/** The call as JSON-RPC text, for pasting elsewhere. */
export const callText = (entry: CallWords): string => {
  const params = /^[[{]/.test(entry.params) ? entry.params : `[${entry.params}]`;
  return `{"jsonrpc":"2.0","id":${entry.id},"method":${writeJson(entry.method)},"params":${params}}`;
};

/** Parses the params field: empty, a JSON array, a JSON object, or bare values separated by commas. */
export const parseParams = (text: string): readonly unknown[] | object => {
  const trimmed = text.trim();
  if (trimmed === '') return [];
  const value: unknown = parseJson(/^[[{]/.test(trimmed) ? trimmed : `[${trimmed}]`);
  return typeof value === 'object' && value !== null ? value : [value];
};

const toSnake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Named params in the method's parameter order; camelCase names are converted to snake_case. */
export const orderParams = (
  params: readonly unknown[] | object,
  names: readonly string[],
): readonly unknown[] => {
  if (Array.isArray(params)) return params;
  const byName = new Map(Object.entries(params).map(([name, value]) => [toSnake(name), value]));
  const unknownName = [...byName.keys()].find((name) => !names.includes(name));
  if (unknownName !== undefined) throw new TypeError(`This method has no parameter "${unknownName}".`);
  const last = names.findLastIndex((name) => byName.has(name));
  return names.slice(0, last + 1).map((name) => byName.get(name) ?? null);
};

/** Arguments as a JSON array: missing ones are null, trailing ones left out; empty if there are none. */
export const writeArgs = (args: readonly unknown[]): string => {
  const last = args.findLastIndex((value) => value !== undefined);
  if (last < 0) return '';
  return `[${args
    .slice(0, last + 1)
    .map((value) => writeJson(value ?? null))
    .join(', ')}]`;
};
