import { NodeError } from '../../../src/protocol/errors.ts';
import { writeJson } from '../../../src/protocol/json.ts';
import type { Json } from '../../../src/scale/types.ts';

// Tool arguments: a JSON Schema for agents, and a validator that accepts exactly what it describes. Zod would
// be ten times larger in the page, and compiles validators with `new Function`, which the page's CSP reports.

/** JSON Schema 2020-12. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** One argument. */
export type Field<T> = {
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  /** Throws `BadValue`, which names the argument. A missing argument is undefined. */
  read(value: unknown, name: string): T;
};

const bad = (name: string, expected: string, value: unknown): NodeError => {
  const found = value === undefined ? 'nothing' : writeJson(value);
  return new NodeError('BadValue', `${name}: ${expected} was expected, not ${found.slice(0, 80)}`);
};

const field = <T>(
  schema: JsonSchema,
  expected: string,
  accepts: (value: unknown) => boolean,
  readInner = (value: unknown, _name: string): T => value as T,
): Field<T> => ({
  schema,
  isRequired: true,
  read: (value, name) => {
    if (!accepts(value)) throw bad(name, expected, value);
    return readInner(value, name);
  },
});

export const text = (minLength = 0, maxLength = Number.POSITIVE_INFINITY): Field<string> =>
  field(
    {
      type: 'string',
      ...(minLength > 0 ? { minLength } : {}),
      ...(Number.isFinite(maxLength) ? { maxLength } : {}),
    },
    Number.isFinite(maxLength) ? `a text of ${minLength} to ${maxLength} characters` : 'a text',
    (value) => typeof value === 'string' && value.length >= minLength && value.length <= maxLength,
  );

type Range = { readonly minimum?: number; readonly maximum?: number };

const numeric = (
  kind: 'integer' | 'number',
  { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY }: Range,
): Field<number> => {
  const what = kind === 'integer' ? 'an integer' : 'a number';
  const from = Number.isFinite(minimum) ? ` from ${minimum}` : '';
  const to = Number.isFinite(maximum) ? ` to ${maximum}` : '';
  return field(
    {
      type: kind,
      ...(Number.isFinite(minimum) ? { minimum } : {}),
      ...(Number.isFinite(maximum) ? { maximum } : {}),
    },
    `${what}${from}${to}`,
    (value) =>
      (kind === 'integer' ? Number.isSafeInteger(value) : typeof value === 'number') &&
      (value as number) >= minimum &&
      (value as number) <= maximum,
  );
};

export const integer = (range: Range = {}): Field<number> => numeric('integer', range);
export const number = (range: Range = {}): Field<number> => numeric('number', range);

export const flag = (): Field<boolean> =>
  field({ type: 'boolean' }, 'true or false', (value) => typeof value === 'boolean');

export const oneOf = <const T extends string>(names: readonly T[]): Field<T> =>
  field({ type: 'string', enum: names }, `one of ${names.join(', ')}`, (value) => names.includes(value as T));

/** Any JSON value. */
export const json = (): Field<Json> => field({}, 'a JSON value', (value) => value !== undefined);

export const list = <T>(inner: Field<T>): Field<readonly T[]> =>
  field({ type: 'array', items: inner.schema }, 'a list', Array.isArray, (values, name) =>
    (values as readonly unknown[]).map((value, index) => inner.read(value, `${name}[${index}]`)),
  );

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Values by any name. */
export const record = <T>(inner: Field<T>): Field<Readonly<Record<string, T>>> =>
  field({ type: 'object', additionalProperties: inner.schema }, 'an object', isRecord, (values, name) =>
    Object.fromEntries(
      Object.entries(values as object).map(([key, value]) => [key, inner.read(value, `${name}.${key}`)]),
    ),
  );

export const either = <A, B>(one: Field<A>, other: Field<B>): Field<A | B> => ({
  schema: { anyOf: [one.schema, other.schema] },
  isRequired: true,
  read: (value, name) => {
    try {
      return one.read(value, name);
    } catch {
      return other.read(value, name);
    }
  },
});

export const optional = <T>(inner: Field<T>): Field<T | undefined> => ({
  ...inner,
  isRequired: false,
  read: (value, name) => (value === undefined ? undefined : inner.read(value, name)),
});

export const withDefault = <T>(inner: Field<T>, standard: T): Field<T> => ({
  schema: { ...inner.schema, default: standard },
  isRequired: false,
  read: (value, name) => (value === undefined ? standard : inner.read(value, name)),
});

export const described = <T>(inner: Field<T>, description: string): Field<T> => ({
  ...inner,
  schema: { ...inner.schema, description },
});

/** Arguments by name. */
export type Fields = Readonly<Record<string, Field<unknown>>>;
export type ValuesOf<F extends Fields> = { readonly [name in keyof F]: ReturnType<F[name]['read']> };

export const schemaOf = (fields: Fields): JsonSchema => {
  const required = Object.keys(fields).filter((name) => fields[name]?.isRequired);
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
};

/** The limit of a native node's parser (serde_json). Much deeper values could not be serialized again. */
const maxDepth = 128;

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1)));

/** Throws `BadValue` also for an unknown argument: a misspelled name must not return another request's result. */
export const readArguments = <F extends Fields>(fields: F, args: unknown): ValuesOf<F> => {
  if (isDeeper(args, maxDepth))
    throw new NodeError('BadValue', `The arguments are nested more than ${maxDepth} levels deep`);
  if (!isRecord(args)) throw bad('arguments', 'an object', args);
  const names = Object.keys(fields);
  const unknownName = Object.keys(args).find((name) => !Object.hasOwn(fields, name));
  if (unknownName !== undefined)
    throw new NodeError(
      'BadValue',
      `There is no argument "${unknownName.slice(0, 80)}": it takes ${names.join(', ') || 'none'}`,
    );
  return Object.fromEntries(names.map((name) => [name, fields[name]?.read(args[name], name)])) as ValuesOf<F>;
};
