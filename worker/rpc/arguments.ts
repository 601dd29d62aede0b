import { writeJson } from '../../src/protocol/json.ts';
import { debugText, Refused, refuse } from '../../src/protocol/rpc/decoder-text.ts';
import type { Entry, Param } from '../../src/protocol/rpc/define.ts';
import type { Arguments, ReadParam, RpcDialect } from './dialects/dialect.ts';
import { invalidParams, type RpcErrorData } from './errors.ts';

export type ReadArguments =
  | { readonly ok: true; readonly args: Arguments }
  | { readonly ok: false; readonly error: RpcErrorData };

const toCamel = (name: string): string =>
  name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());

type Read = { readonly entry: Entry; readonly dialect: RpcDialect; readonly read: ReadParam };

const readValues = ({ entry, read }: Read, values: readonly unknown[]): Arguments => {
  const args: Record<string, unknown> = {};
  let index = 0;
  for (const name in entry.params) args[name] = read(entry.params[name] as Param, values[index++], name);
  return args;
};

const readParams = (how: Read, params: unknown): Arguments => {
  const { entry, dialect, read } = how;
  if (params === undefined || params === null) return readValues(how, []);
  if (Array.isArray(params)) {
    const isFlatList = entry.kind === 'call' && entry.isVariadic === true && params.length > 1;
    return readValues(how, isFlatList ? [params] : params);
  }
  if (typeof params === 'object') {
    const names = Object.keys(entry.params);
    const nameOf = (written: string): string => names.find((name) => toCamel(name) === written) ?? written;
    return dialect.readNamed(entry, params, nameOf, read);
  }
  const text = debugText(writeJson(params));
  return refuse(`Invalid params. Expected one of '[', ']' or ',' but found ${text}`);
};

/**
 * Converts positional or named parameters (in either spelling) to the handler's arguments; ignores additional
 * ones.
 */
export const readArguments = (
  entry: Entry,
  { params }: { readonly params: unknown },
  dialect: RpcDialect,
): ReadArguments => {
  if (Object.keys(entry.params).length === 0) return { ok: true, args: {} };
  const read: ReadParam = (param, value, name) => {
    try {
      if (value !== undefined) return dialect.readParam(param, value);
      return param.isOptional ? null : refuse(dialect.absent);
    } catch (error) {
      throw error instanceof Refused ? new Refused(dialect.refusalOf(name, error.message)) : error;
    }
  };
  try {
    return { ok: true, args: readParams({ entry, dialect, read }, params) };
  } catch (error) {
    if (error instanceof Refused) return { ok: false, error: invalidParams(error.message) };
    throw error;
  }
};
