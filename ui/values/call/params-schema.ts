import { parseJson } from '../../../src/protocol/json.ts';
import { type JsonSchema, paramSchemas } from '../../../src/protocol/rpc/params/schemas.ts';
import type { MethodInfo, ParamInfo } from '../../node/client/method-info.ts';

/** A value with a name: an account, or a block. */
export type NamedValue = { readonly name: string; readonly value: string };

/** What the page can name, for parameters that take it. */
export type KnownValues = {
  readonly accounts: readonly NamedValue[];
  readonly blocks: readonly NamedValue[];
};

/** One schema per value, each of which is suggested by its name. */
export const namedSchemas = (values: readonly NamedValue[]): readonly JsonSchema[] =>
  values.map(({ name, value }) => ({ const: value, title: name }));

const paramSchema = ({ kind, optional }: ParamInfo, known: KnownValues): JsonSchema => {
  const schema = paramSchemas[kind];
  const named = kind === 'account' ? known.accounts : kind === 'hash' ? known.blocks : [];
  const anyOf = [schema, ...namedSchemas(named), ...(optional ? [{ type: 'null' }] : [])];
  return anyOf.length === 1
    ? schema
    : { anyOf, ...(schema.description && { description: schema.description }) };
};

/** The parameters of a method as the JSON editor takes them: a list in their order, or an object with their names. */
export const paramsSchema = ({ params, example }: MethodInfo, known: KnownValues): JsonSchema => {
  const schemas = params.map((param) => [param.name, paramSchema(param, known)] as const);
  return {
    ...(example !== null && { examples: [parseJson(example)] }),
    anyOf: [
      { type: 'array', items: schemas.map(([, schema]) => schema) },
      {
        type: 'object',
        properties: Object.fromEntries(schemas),
        required: params.filter(({ optional }) => !optional).map(({ name }) => name),
      },
    ],
  };
};
