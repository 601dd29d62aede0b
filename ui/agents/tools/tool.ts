import type { CallOptions, Connection } from '../../../src/connection.ts';
import { NodeError } from '../../../src/protocol/errors.ts';
import type { MetaLoader } from '../../../src/scale/load.ts';
import { type Fields, readArguments, type ValuesOf } from './schema.ts';

/** How write access is granted here, worded for refusals. */
export type Permission = {
  /** What grants write access, such as a flag. */
  readonly name: string;
  /** Why a tool is refused without it. */
  readonly refusal: string;
};

/** An account whose key the server was given, besides those of the development phrase. */
export type AgentAccount = {
  readonly name: string;
  /** Account id as a 0x string. */
  readonly id: string;
  /** A signature as JSON of a MultiSignature, such as `{ Sr25519: '0x…' }`. */
  sign(payload: Uint8Array): Readonly<Record<string, string>>;
};

/** The dependencies of the tools. */
export type Context = {
  readonly meta: MetaLoader;
  readonly allowWrites: boolean;
  readonly permission: Permission;
  readonly accounts: readonly AgentAccount[];
  connect(): Promise<Connection>;
  /** Runs tasks one after the other. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  request(method: string, params: readonly unknown[], options?: CallOptions): Promise<unknown>;
};

/** One tool. Its result is written as JSON. Thrown errors become tool errors. */
export type Tool = {
  readonly name: string;
  readonly title: string;
  /** The description an agent uses to choose a tool. */
  readonly description: string;
  readonly input: Fields;
  /** Refused without permission to write. */
  readonly writes: boolean;
  /** Removes something that cannot be restored. */
  readonly destroys: boolean;
  /** Takes arguments that an agent wrote. Throws `BadValue` if `input` does not accept them. */
  run(context: Context, args: unknown, signal: AbortSignal): Promise<unknown>;
};

type ToolDefinition<F extends Fields> = Pick<Tool, 'name' | 'title' | 'description'> & {
  readonly input: F;
  readonly writes?: true;
  readonly destroys?: true;
  run(context: Context, args: ValuesOf<F>, signal: AbortSignal): Promise<unknown>;
};

/** Declares a tool; `input` validates its arguments before it runs. */
export const tool = <F extends Fields>({ run, ...definition }: ToolDefinition<F>): Tool => ({
  writes: false,
  destroys: false,
  ...definition,
  run: async (context, args, signal) => run(context, readArguments(definition.input, args), signal),
});

export const refuseWrite = ({ permission }: Context, what: string): NodeError =>
  new NodeError('NotAllowed', `${what} is refused: ${permission.refusal}`);

/** A page of a list: `more` is the cursor of the next one. */
export type Page<T> = { readonly items: readonly T[]; readonly total: number; readonly more?: string };

export const pageOf = <T>(all: readonly T[], cursor: string | undefined, limit: number): Page<T> => {
  const from = cursor === undefined ? 0 : Number(cursor);
  if (!Number.isSafeInteger(from) || from < 0)
    throw new NodeError('BadValue', `cursor "${cursor}": pass the "more" of an earlier result`);
  const end = from + limit;
  const page = { items: all.slice(from, end), total: all.length };
  return end < all.length ? { ...page, more: String(end) } : page;
};

const longestText = 2000;
const longestList = 100;

/** Truncates long texts and lists of a decoded value, noting how much is missing. */
export const cutLong = (value: unknown): unknown => {
  if (typeof value === 'string')
    return value.length <= longestText
      ? value
      : `${value.slice(0, longestText)}… (${value.length - longestText} more characters)`;
  if (Array.isArray(value)) {
    const items = value.slice(0, longestList).map(cutLong);
    return value.length <= longestList ? items : [...items, `… (${value.length - longestList} more items)`];
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cutLong(inner)]));
};
