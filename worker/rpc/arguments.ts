import type { Dialect } from '../../src/protocol/node.ts';
import type { Entry, Param } from '../../src/protocol/rpc/define.ts';
import { invalidParams, type RpcErrorData } from './errors.ts';

export type ReadArguments =
  | { readonly ok: true; readonly args: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly error: RpcErrorData };

const toCamel = (name: string): string =>
  name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());

const fail = (data: string): ReadArguments => ({ ok: false, error: invalidParams(data) });

/** Values by position, whatever form `params` has; null when it has none that a call can take. */
const byPosition = (entry: Entry, names: readonly string[], params: unknown): readonly unknown[] | null => {
  if (params === undefined || params === null) return [];
  if (Array.isArray(params)) {
    const isFlatList = entry.kind === 'call' && entry.isVariadic === true && params.length > 1;
    return isFlatList ? [params] : params;
  }
  if (typeof params !== 'object') return null;
  const given = params as Readonly<Record<string, unknown>>;
  return names.map((name) => (Object.hasOwn(given, name) ? given[name] : given[toCamel(name)]));
};

type Read = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: string };

const readOne = (param: Param, value: unknown, dialect: Dialect): Read => {
  if (value === undefined)
    return param.isOptional ? { ok: true, value: null } : { ok: false, why: 'No more params' };
  const refused = dialect === 'polkadot-sdk' ? (param.refusedBySdk?.(value) ?? null) : null;
  if (refused !== null) return { ok: false, why: refused };
  const parsed = param.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, why: parsed.error.issues[0]?.message ?? 'invalid value' };
};

/** Positional or named parameters (either spelling) to what the handler receives; extra ones are ignored (RPC.md §0.3). */
export const readArguments = (entry: Entry, params: unknown, dialect: Dialect): ReadArguments => {
  const names = Object.keys(entry.params);
  if (names.length === 0) return { ok: true, args: {} };
  const values = byPosition(entry, names, params);
  if (values === null) return fail('params must be a list or an object');
  const args: Record<string, unknown> = {};
  for (const [index, name] of names.entries()) {
    const read = readOne(entry.params[name] as Param, values[index], dialect);
    if (!read.ok) return fail(read.why);
    args[name] = read.value;
  }
  return { ok: true, args };
};
