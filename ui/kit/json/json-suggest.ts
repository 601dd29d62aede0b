import { writeJson } from '../../../src/protocol/json.ts';
import type { JsonSchema } from '../../../src/protocol/rpc/params/schemas.ts';
import type { JsonPath } from './json-mark.ts';
import { namesAt, placeAt } from './json-place.ts';

/** A completion: what is shown, what is entered, and what it means. */
export type Suggestion = {
  readonly label: string;
  readonly text: string;
  /** A few words beside it. */
  readonly detail: string;
  /** A sentence about it; empty for none. */
  readonly info: string;
  readonly isName: boolean;
};

export type Suggestions = {
  readonly from: number;
  readonly to: number;
  readonly list: readonly Suggestion[];
};

/** A schema without its alternatives, each of which may have some itself. */
const flatten = (schema: JsonSchema): readonly JsonSchema[] => [
  schema,
  ...(schema.anyOf ?? []).flatMap(flatten),
];

const stepInto = (schema: JsonSchema, step: string | number): JsonSchema | undefined => {
  if (typeof step === 'string') {
    const { properties = {}, additionalProperties: other } = schema;
    if (Object.hasOwn(properties, step)) return properties[step];
    return typeof other === 'object' ? other : undefined;
  }
  const { items } = schema;
  return Array.isArray(items) ? items[step] : (items as JsonSchema | undefined);
};

/** What the value at a path may be. */
export const schemasAt = (schema: JsonSchema, path: JsonPath): readonly JsonSchema[] =>
  path.reduce<readonly JsonSchema[]>(
    (all, step) => all.flatMap((one) => flatten(stepInto(one, step) ?? {})),
    flatten(schema),
  );

/** What a value is, in a few words. */
const kindOf = (schema: JsonSchema): string => {
  const all = flatten(schema).map(({ title, type, const: only, enum: words }) =>
    only !== undefined || words !== undefined ? 'word' : type === 'null' ? '' : (title ?? type ?? ''),
  );
  return [...new Set(all.filter((word) => word !== ''))].slice(0, 3).join(' or ');
};

const nameSuggestions = (schemas: readonly JsonSchema[], taken: readonly string[]): readonly Suggestion[] => {
  const found = new Map<string, Suggestion>();
  for (const { properties = {}, required = [] } of schemas)
    for (const name of Object.keys(properties)) {
      if (taken.includes(name) || found.has(name)) continue;
      const { [name]: schema = {} } = properties;
      const detail = [kindOf(schema), required.includes(name) ? 'required' : ''].filter(
        (word) => word !== '',
      );
      const info = schema.description ?? '';
      found.set(name, { label: name, text: writeJson(name), detail: detail.join(', '), info, isName: true });
    }
  return [...found.values()];
};

const valueSuggestions = (schemas: readonly JsonSchema[]): readonly Suggestion[] => {
  const found = new Map<string, Suggestion>();
  const add = (value: unknown, { title, description = '' }: JsonSchema): void => {
    const text = writeJson(value);
    const bare = typeof value === 'string' ? value : text;
    const detail = title === undefined ? '' : bare;
    if (!found.has(text))
      found.set(text, { label: title ?? bare, text, detail, info: description, isName: false });
  };
  for (const schema of schemas) {
    if (schema.const !== undefined) add(schema.const, schema);
    for (const value of schema.enum ?? []) add(value, {});
    if (schema.type === 'boolean') for (const value of [true, false]) add(value, {});
    if (schema.type === 'null') add(null, {});
    for (const value of (schema['examples'] ?? []) as readonly unknown[]) add(value, { title: 'Example' });
  }
  return [...found.values()];
};

/**
 * What may be entered at a position of a JSON text by its schema; null if nothing is known. The range is that of the name, word or
 * string that it replaces.
 */
export const suggestAt = (schema: JsonSchema, text: string, at: number): Suggestions | null => {
  const place = placeAt(text, at);
  if (place === null) return null;
  const { path, isName, token } = place;
  const inside = isName ? path.slice(0, -1) : path;
  const schemas = schemasAt(schema, inside);
  const current = isName ? path.at(-1) : undefined;
  const list = isName
    ? nameSuggestions(
        schemas,
        namesAt(text, inside).filter((name) => name !== current),
      )
    : valueSuggestions(schemas);
  return list.length === 0 ? null : { ...token, list };
};
