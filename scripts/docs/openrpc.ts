// The OpenRPC document, generated from the method table.
import * as z from 'zod/mini';
import { writeJson } from '../../src/protocol/json.ts';
import { type Entry, markingOf, type Param, type Schema } from '../../src/protocol/rpc/define.ts';
import { docOf } from '../../src/protocol/rpc/docs/docs.ts';
import { rpcTable } from '../../src/protocol/rpc/index.ts';
import { type JsonSchema, paramSchemas } from '../../src/protocol/rpc/params/schemas.ts';
import { resultOf } from '../../src/protocol/rpc/results/results.ts';

const paramSchema = (param: Param): JsonSchema => {
  const schema = paramSchemas[param.kind];
  return param.isOptional ? { anyOf: [schema, { type: 'null' }] } : schema;
};

/** zod has no schema for integers of any size; on the wire they are plain JSON integers. */
const resultSchema = (result: Schema): object => {
  const { $schema: _, ...schema } = z.toJSONSchema(result, {
    target: 'draft-7',
    io: 'output',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === 'bigint') jsonSchema.type = 'integer';
    },
  });
  return schema;
};

const idSchema = { type: 'string', description: 'Subscription id' };

/** The documented errors that any method may return. */
const commonErrors = [
  { code: -32602, message: 'Invalid params' },
  { code: -32603, message: 'Internal error' },
];
const deniedError = { code: -32601, message: 'RPC call is unsafe to be called externally' };

/** A result as JSON can represent it: integers of any size become numbers. */
const toPlain = (value: unknown): unknown => JSON.parse(writeJson(value));

const examplesOf = (name: string, { params }: Entry): object[] => {
  const { example } = docOf(name);
  if (example === undefined) return [];
  const given = Object.keys(params).filter((param) => example[param] !== undefined);
  return [
    {
      name: 'example',
      params: given.map((param) => ({ name: param, value: toPlain(example[param]) })),
      result: { name: 'result', value: toPlain(resultOf(name).example) },
    },
  ];
};

const methodOf = (name: string, entry: Entry): object => {
  const marking = { 'psp-6': markingOf(entry, 'psp-6'), 'polkadot-sdk': markingOf(entry, 'polkadot-sdk') };
  const isEverUnsafe = Object.values(marking).includes('unsafe') || entry.sdkUnsafeWithout !== undefined;
  const { doc, deprecated } = docOf(name);
  const schema = resultSchema(resultOf(name).schema);
  return {
    name,
    description: doc,
    tags: [{ name: name.split(/[_.]/, 1)[0] }],
    params: Object.entries(entry.params).map(([param, value]) => ({
      name: param,
      required: !value.isOptional,
      schema: paramSchema(value),
    })),
    result: entry.kind === 'call' ? { name: 'result', schema } : { name: 'subscription', schema: idSchema },
    errors: isEverUnsafe ? [deniedError, ...commonErrors] : commonErrors,
    ...(entry.kind === 'call' ? { examples: examplesOf(name, entry) } : {}),
    ...(deprecated === undefined ? {} : { deprecated: true, 'x-deprecated': deprecated }),
    'x-safety': marking,
    ...(entry.sdkUnsafeWithout === undefined ? {} : { 'x-sdk-unsafe-without': entry.sdkUnsafeWithout }),
    ...(entry.aliases === undefined ? {} : { 'x-aliases': entry.aliases }),
    ...(entry.kind === 'call'
      ? {}
      : { 'x-notification': { method: entry.event, schema }, 'x-unsubscribe': entry.unsubscribe }),
  };
};

const unsubscribeOf = (name: string, entry: Entry): object[] => {
  if (entry.kind === 'call') return [];
  return [
    {
      name: entry.unsubscribe,
      description: `Ends a subscription of ${name}; false when its id is not live on this connection.`,
      tags: [{ name: name.split('_', 1)[0] }],
      params: [{ name: 'subscription', required: true, schema: idSchema }],
      result: { name: 'result', schema: { type: 'boolean' } },
      'x-safety': { 'psp-6': 'safe', 'polkadot-sdk': 'safe' },
      ...(entry.unsubscribeAliases === undefined ? {} : { 'x-aliases': entry.unsubscribeAliases }),
    },
  ];
};

/** The OpenRPC document of the table; its version is the package's. */
export const createOpenRpc = (version: string): object => ({
  openrpc: '1.3.2',
  info: {
    title: 'Tabnode JSON-RPC',
    description:
      'Every method of the node. Members that begin with x- describe safety, aliases and notifications.',
    version,
    license: { name: 'Apache-2.0' },
  },
  methods: Object.entries<Entry>(rpcTable)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, entry]) => [methodOf(name, entry), ...unsubscribeOf(name, entry)]),
});
