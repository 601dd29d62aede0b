import type { JsonSchema } from '../../src/protocol/rpc/params/schemas.ts';
import { byteCountOf, docsText, integerType } from '../../src/scale/entries.ts';
import type { LookupEntry } from '../../src/scale/types.ts';
import { type NamedValue, namedSchemas } from './call/params-schema.ts';

type Fields = Readonly<Record<string, { readonly entry: LookupEntry; readonly docs: readonly string[] }>>;

/** Its properties are made when they are asked for: types may contain themselves. */
const objectSchema = (
  fields: () => Fields,
  accounts: readonly NamedValue[],
  isWhole: boolean,
): JsonSchema => ({
  type: 'object',
  get properties() {
    return Object.fromEntries(
      Object.entries(fields()).map(([name, { entry, docs }]) => [
        name,
        valueSchema(entry, accounts, docsText(docs)),
      ]),
    );
  },
  get required() {
    return isWhole ? Object.keys(fields()) : [];
  },
});

const typeSchema = (entry: LookupEntry, accounts: readonly NamedValue[]): JsonSchema => {
  const integer = integerType(entry);
  if (integer !== null) return { title: integer };
  if (byteCountOf(entry) !== undefined) return { title: 'bytes' };
  const lazyItems = (types: () => readonly LookupEntry[]): JsonSchema => ({
    type: 'array',
    get items() {
      return types().map((one) => valueSchema(one, accounts));
    },
  });
  switch (entry.type) {
    case 'primitive':
      return { type: entry.value === 'bool' ? 'boolean' : 'string' };
    case 'AccountId32':
      return { title: 'account', anyOf: namedSchemas(accounts) };
    case 'sequence':
    case 'array':
      return {
        type: 'array',
        get items() {
          return valueSchema(entry.value, accounts);
        },
      };
    case 'tuple':
      return lazyItems(() => entry.value);
    case 'struct':
      return objectSchema(
        () =>
          Object.fromEntries(
            Object.entries(entry.value).map(([name, one]) => [
              name,
              { entry: one, docs: entry.innerDocs[name] ?? [] },
            ]),
          ),
        accounts,
        true,
      );
    case 'option':
      return {
        get anyOf() {
          return [{ type: 'null' }, valueSchema(entry.value, accounts)];
        },
      };
    case 'result':
      return objectSchema(
        () => ({ Ok: { entry: entry.value.ok, docs: [] }, Err: { entry: entry.value.ko, docs: [] } }),
        accounts,
        false,
      );
    case 'enum': {
      const variants = Object.entries(entry.value);
      const held = (): Fields =>
        Object.fromEntries(
          variants.flatMap(([name, { inner, docs }]) =>
            inner === null ? [] : [[name, { entry: inner, docs }]],
          ),
        );
      const bare = variants.filter(([, { inner }]) => inner === null);
      return {
        anyOf: [
          ...bare.map(([name, { docs }]) => ({ const: name, description: docsText(docs) })),
          ...(bare.length === variants.length ? [] : [objectSchema(held, accounts, false)]),
        ],
      };
    }
    default:
      return {};
  }
};

/** A type of the runtime as the schema of its JSON: what the editor of a value suggests. */
export const valueSchema = (
  entry: LookupEntry,
  accounts: readonly NamedValue[],
  description = '',
): JsonSchema => {
  const schema = typeSchema(entry, accounts);
  return description === '' ? schema : Object.defineProperty(schema, 'description', { value: description });
};
