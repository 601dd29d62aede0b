// The OpenRPC document and docs/rpc.md, made from the method table.
import * as z from 'zod/mini';
import { writeJson } from '../src/protocol/json.ts';
import {
  type Entry,
  markingOf,
  type Param,
  type ParamKind,
  type RpcTable,
  type Schema,
} from '../src/protocol/rpc/define.ts';
import { rpcTable } from '../src/protocol/rpc/index.ts';

export type JsonSchema = { readonly [name: string]: unknown };

const hexText = { type: 'string', pattern: '^(0x)?[0-9a-fA-F]*$' };
const byteList = { type: 'array', items: { type: 'integer', minimum: 0, maximum: 255 } };
const bytes = { anyOf: [hexText, byteList] };
const hash = { type: 'string', pattern: '^(0x)?[0-9a-fA-F]{64}$' };
const height = {
  anyOf: [
    { type: 'integer', minimum: 0 },
    { type: 'string', pattern: '^(0x)?[0-9a-fA-F]{1,64}$' },
  ],
};
const amount = {
  anyOf: [
    { type: 'integer', minimum: 0 },
    { type: 'string', pattern: '^0x[0-9a-fA-F]{1,32}$' },
  ],
};
const extrinsicOrHash = {
  anyOf: [
    hexText,
    { type: 'object', properties: { hash }, required: ['hash'] },
    { type: 'object', properties: { extrinsic: bytes }, required: ['extrinsic'] },
  ],
};
const itemTypes = ['value', 'hash', 'closestDescendantMerkleValue', 'descendantsValues', 'descendantsHashes'];
const finalityName = { enum: ['delayed', 'instant', 'manual'] };
const delayedBy = (unit: string): JsonSchema => ({
  type: 'object',
  properties: { kind: { const: 'delayed' }, [unit]: { type: 'integer', minimum: 1, maximum: 0x7fff_ffff } },
  required: ['kind', unit],
  additionalProperties: false,
});
const sealName = { enum: ['manual', 'instant', 'slots'] };

const storageValue = { anyOf: [bytes, { type: 'null' }] };
const storageItem = {
  type: 'object',
  properties: { key: hexText, type: { enum: itemTypes }, paginationStartKey: hexText },
  required: ['key', 'type'],
};

const account = { type: 'string' };
const contractLimits = {
  value: amount,
  gasLimit: {
    anyOf: [
      amount,
      {
        type: 'object',
        properties: { refTime: amount, proofSize: amount },
        required: ['refTime', 'proofSize'],
      },
      { type: 'null' },
    ],
  },
  storageDepositLimit: { anyOf: [amount, { type: 'null' }] },
};

/** What a parameter of each kind may look like on the wire. */
const paramSchemas: Readonly<Record<ParamKind, JsonSchema>> = {
  account: { type: 'string', description: 'SS58 address of any prefix, or 32 bytes as hex' },
  amount: {
    anyOf: [
      { type: 'integer', minimum: 0 },
      { type: 'string', pattern: '^(0x[0-9a-fA-F]{1,32}|[0-9]{1,39})$' },
    ],
  },
  blockNumbers: { type: 'array', items: { type: 'integer', minimum: 0, maximum: 0xffff_ffff } },
  boolean: { type: 'boolean' },
  bytes,
  bytesList: { type: 'array', items: bytes },
  chainFormat: { enum: ['json', 'binary'] },
  contractCall: {
    type: 'object',
    properties: { origin: account, dest: account, ...contractLimits, inputData: bytes },
    required: ['origin', 'dest', 'value', 'inputData'],
  },
  contractInstantiation: {
    type: 'object',
    properties: {
      origin: account,
      ...contractLimits,
      code: {
        anyOf: [
          bytes,
          { type: 'object', properties: { upload: bytes }, required: ['upload'] },
          { type: 'object', properties: { existing: hash }, required: ['existing'] },
        ],
      },
      data: bytes,
      salt: { anyOf: [bytes, { type: 'null' }] },
    },
    required: ['origin', 'value', 'code', 'data'],
  },
  contractUpload: {
    type: 'object',
    properties: { origin: account, code: bytes, storageDepositLimit: contractLimits.storageDepositLimit },
    required: ['origin', 'code'],
  },
  diffItems: {
    type: 'array',
    items: {
      type: 'object',
      properties: { key: hexText, returnType: { enum: ['value', 'hash'] }, childTrieKey: hexText },
      required: ['returnType'],
    },
  },
  dryRun: {
    type: 'object',
    properties: {
      extrinsic: {
        anyOf: [
          hexText,
          { type: 'object', properties: { call: bytes, address: account }, required: ['call', 'address'] },
        ],
      },
      at: { anyOf: [hash, { type: 'null' }] },
      raw: { type: 'boolean' },
    },
    required: ['extrinsic'],
  },
  extrinsicsOrHashes: { anyOf: [extrinsicOrHash, { type: 'array', items: extrinsicOrHash }] },
  hash,
  hashes: { anyOf: [hash, { type: 'array', items: hash }] },
  headTarget: { anyOf: [hash, { type: 'integer' }] },
  height: { anyOf: [...height.anyOf, { type: 'array', items: height }] },
  justification: { type: 'array', items: [bytes, bytes], minItems: 2, maxItems: 2 },
  leavesProof: {
    type: 'object',
    properties: { blockHash: hash, leaves: bytes, proof: bytes },
    required: ['blockHash', 'leaves', 'proof'],
  },
  moment: {
    anyOf: [
      { type: 'integer', minimum: 0 },
      { type: 'string', description: 'A date' },
    ],
  },
  finalityMode: {
    anyOf: [
      finalityName,
      { type: 'object', properties: { kind: finalityName }, required: ['kind'], additionalProperties: false },
      delayedBy('ms'),
      delayedBy('blocks'),
    ],
  },
  newBlock: {
    type: 'object',
    properties: {
      count: { type: 'integer', minimum: 1, maximum: 10_000 },
      to: { type: 'integer', minimum: 0, maximum: 0xffff_ffff },
      parent: hash,
      transactions: { type: 'array', items: bytes },
      finalize: { type: 'boolean' },
    },
    additionalProperties: false,
  },
  sealMode: {
    anyOf: [
      sealName,
      { type: 'object', properties: { kind: sealName }, required: ['kind'] },
      {
        type: 'object',
        properties: {
          kind: { const: 'interval' },
          ms: { type: 'integer', minimum: 1, maximum: 0x7fff_ffff },
        },
        required: ['kind', 'ms'],
      },
    ],
  },
  storage: {
    anyOf: [
      { type: 'array', items: { type: 'array', items: [bytes, storageValue], minItems: 2, maxItems: 2 } },
      {
        type: 'object',
        description:
          'By names: {Pallet: {Item: value, Map: [[[key, …], value]], $removePrefix: ["Map"]}}, values and keys by the types of the runtime or as SCALE hex',
        additionalProperties: {
          type: 'object',
          properties: { $removePrefix: { type: 'array', items: { type: 'string' } } },
        },
      },
    ],
  },
  text: { type: 'string' },
  u32: { type: 'integer', minimum: 0, maximum: 0xffff_ffff },
  storageItems: { type: 'array', items: storageItem },
};

const paramSchema = (param: Param): JsonSchema => {
  const schema = paramSchemas[param.kind];
  return param.isOptional ? { anyOf: [schema, { type: 'null' }] } : schema;
};

/** Integers of any size have no schema of their own in zod: on the wire they are plain JSON integers. */
const resultSchema = (result: Schema): JsonSchema => {
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

/** The documented errors that any method may answer with (RPC.md §0.3, §0.4, §4.1). */
const commonErrors = [
  { code: -32602, message: 'Invalid params' },
  { code: -32603, message: 'Internal error' },
];
const deniedError = { code: -32601, message: 'RPC call is unsafe to be called externally' };

/** A result as JSON holds it: integers of any size become numbers. */
const toPlain = (value: unknown): unknown => JSON.parse(writeJson(value));

const examplesOf = ({ example, params }: Entry): object[] => {
  if (example === undefined) return [];
  const given = Object.keys(params).filter((name) => example.args[name] !== undefined);
  return [
    {
      name: 'example',
      params: given.map((name) => ({ name, value: toPlain(example.args[name]) })),
      result: { name: 'result', value: toPlain(example.result) },
    },
  ];
};

const methodOf = (name: string, entry: Entry): object => {
  const marking = { 'psp-6': markingOf(entry, 'psp-6'), 'polkadot-sdk': markingOf(entry, 'polkadot-sdk') };
  const isEverUnsafe = Object.values(marking).includes('unsafe') || entry.sdkUnsafeWithout !== undefined;
  const schema = resultSchema(entry.result);
  return {
    name,
    description: entry.doc,
    tags: [{ name: name.split(/[_.]/, 1)[0] }],
    params: Object.entries(entry.params).map(([param, value]) => ({
      name: param,
      required: !value.isOptional,
      schema: paramSchema(value),
    })),
    result: entry.kind === 'call' ? { name: 'result', schema } : { name: 'subscription', schema: idSchema },
    errors: isEverUnsafe ? [deniedError, ...commonErrors] : commonErrors,
    ...(entry.kind === 'call' ? { examples: examplesOf(entry) } : {}),
    ...(entry.deprecated === undefined ? {} : { deprecated: true, 'x-deprecated': entry.deprecated }),
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

/** The OpenRPC document of a table; its version is the package's. */
export const createOpenRpc = (version: string, table: RpcTable = rpcTable as RpcTable): object => ({
  openrpc: '1.3.2',
  info: {
    title: 'Tabnode JSON-RPC',
    description:
      'Every method of the node. Members that begin with x- tell of safety, aliases and notifications.',
    version,
    license: { name: 'Apache-2.0' },
  },
  methods: Object.entries(table)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, entry]) => [methodOf(name, entry), ...unsubscribeOf(name, entry)]),
});
