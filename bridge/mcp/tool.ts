import type * as z from 'zod';
import type { CallOptions, Connection } from '../../src/connection.ts';
import { NodeError } from '../../src/protocol/errors.ts';
import type { MetaLoader } from '../../ui/meta/load.ts';

/** The dependencies of the tools. */
export type Context = {
  readonly meta: MetaLoader;
  readonly allowWrites: boolean;
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
  readonly input: z.ZodObject;
  /** Refused without `--allow-writes`. */
  readonly writes: boolean;
  /** Removes something that cannot be restored. */
  readonly destroys: boolean;
  run(context: Context, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown>;
};

type Told<S extends z.ZodObject> = Pick<Tool, 'name' | 'title' | 'description'> & {
  readonly input: S;
  readonly writes?: true;
  readonly destroys?: true;
  run(context: Context, args: z.output<S>, signal: AbortSignal): Promise<unknown>;
};

/** Declares a tool; `input` validates its arguments before it runs. */
export const tool = <S extends z.ZodObject>({ run, ...told }: Told<S>): Tool => ({
  writes: false,
  destroys: false,
  ...told,
  run: (context, args, signal) => run(context, args as z.output<S>, signal),
});

export const refuseWrite = (what: string): NodeError =>
  new NodeError('NotAllowed', `${what} is refused: this server was started without --allow-writes`);

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

/** A decoded value with long texts and lists truncated, each with a note about what is missing. */
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
