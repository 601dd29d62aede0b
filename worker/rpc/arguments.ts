import { writeJson } from '../../src/protocol/json.ts';
import type { Dialect } from '../../src/protocol/node.ts';
import { debugText, Refused, readMembers, refuse } from '../../src/protocol/rpc/decoder-text.ts';
import type { Entry, Param } from '../../src/protocol/rpc/define.ts';
import { faultOfList } from './envelope.ts';
import { invalidParams, type RpcErrorData } from './errors.ts';

export type ReadArguments =
  | { readonly ok: true; readonly args: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly error: RpcErrorData };

const toCamel = (name: string): string =>
  name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());

/** The parsed value, or a refusal thrown. */
const readOne = (param: Param, value: unknown, dialect: Dialect): unknown => {
  if (value === undefined)
    return param.isOptional ? null : refuse(dialect === 'psp-6' ? 'is missing' : 'No more params');
  const refused = dialect === 'polkadot-sdk' ? (param.refusedBySdk?.(value) ?? null) : null;
  return refused === null ? param.read(value) : refuse(refused);
};

type Args = Readonly<Record<string, unknown>>;

/** Our own dialect names the parameter; the SDK's decoder has only a place in its own text, which nobody sees here. */
const named = (name: string, error: unknown): unknown =>
  error instanceof Refused
    ? new Refused(`${name}: ${error.message.replace(/ at line 1 column \d+$/, '')}`)
    : error;

const readValues = (entry: Entry, values: readonly unknown[], dialect: Dialect): Args => {
  const args: Record<string, unknown> = {};
  let index = 0;
  for (const name in entry.params) {
    try {
      args[name] = readOne(entry.params[name] as Param, values[index++], dialect);
    } catch (error) {
      throw dialect === 'psp-6' ? named(name, error) : error;
    }
  }
  return args;
};

/** Names in either spelling. polkadot-sdk tells of the first wrong member in the order of the text, as the decoder does. */
const readNamed = (entry: Entry, given: object, dialect: Dialect): Args => {
  const names = Object.keys(entry.params);
  const nameOf = (written: string): string => names.find((name) => toCamel(name) === written) ?? written;
  if (dialect === 'psp-6') {
    const values = new Map(Object.entries(given).map(([written, value]) => [nameOf(written), value]));
    return readValues(
      entry,
      names.map((name) => values.get(name)),
      dialect,
    );
  }
  const parsers = names.map((name) => {
    const parse = (value: unknown): unknown => readOne(entry.params[name] as Param, value, dialect);
    return [name, parse] as const;
  });
  const isOptional = (name: string): boolean => entry.params[name]?.isOptional === true;
  const read = readMembers(given, Object.fromEntries(parsers), nameOf, isOptional);
  return Object.fromEntries(names.map((name) => [name, read[name] ?? null]));
};

const readParams = (entry: Entry, params: unknown, dialect: Dialect): Args => {
  if (params === undefined || params === null) return readValues(entry, [], dialect);
  if (Array.isArray(params)) {
    const fault = faultOfList(params);
    if (fault !== undefined) return refuse(fault);
    const isFlatList = entry.kind === 'call' && entry.isVariadic === true && params.length > 1;
    return readValues(entry, isFlatList ? [params] : params, dialect);
  }
  if (typeof params === 'object') return readNamed(entry, params, dialect);
  const text = debugText(writeJson(params));
  return refuse(`Invalid params. Expected one of '[', ']' or ',' but found ${text}`);
};

/** Positional or named parameters (either spelling) to what the handler receives; extra ones are ignored (RPC.md §0.3). */
export const readArguments = (entry: Entry, params: unknown, dialect: Dialect): ReadArguments => {
  if (Object.keys(entry.params).length === 0) return { ok: true, args: {} };
  try {
    return { ok: true, args: readParams(entry, params, dialect) };
  } catch (error) {
    if (error instanceof Refused) return { ok: false, error: invalidParams(error.message) };
    throw error;
  }
};
