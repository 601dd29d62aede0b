// The JSON schema of each kind of parameter in the method table: for the OpenRPC document, and for what the devtools suggest.
import type { ParamKind } from '../define.ts';

/** The part of JSON Schema (draft 7) that is used here. */
export type JsonSchema = {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  /** Of a list: one for all of its items, or one each. */
  readonly items?: JsonSchema | readonly JsonSchema[];
  readonly [name: string]: unknown;
};

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
const finalityName = { enum: ['delayed', 'instant', 'manual', 'grandpa'] };
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

/** The wire forms of each kind of parameter. */
export const paramSchemas: Readonly<Record<ParamKind, JsonSchema>> = {
  account: { type: 'string', description: 'SS58 address of any prefix, or 32 bytes as hex' },
  amount: {
    anyOf: [
      { type: 'integer', minimum: 0 },
      { type: 'string', pattern: '^(0x[0-9a-fA-F]{1,32}|[0-9]{1,39})$' },
    ],
  },
  blockNumbers: { type: 'array', items: { type: 'integer', minimum: 0, maximum: 0xffff_ffff } },
  blockToRun: {
    anyOf: [
      hash,
      {
        type: 'object',
        properties: {
          block: {
            type: 'object',
            properties: { header: { type: 'object' }, extrinsics: { type: 'array', items: bytes } },
            required: ['header', 'extrinsics'],
          },
          parent: hash,
          includeRaw: { type: 'boolean' },
          includeParsed: { type: 'boolean' },
          includeBlockDetails: { type: 'boolean' },
        },
        required: ['block'],
        additionalProperties: false,
      },
    ],
  },
  boolean: { type: 'boolean' },
  buildMode: { enum: ['Batch', 'Instant', 'Manual'] },
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
      hooks: { type: 'boolean' },
    },
    required: ['extrinsic'],
  },
  extrinsicsOrHashes: { anyOf: [extrinsicOrHash, { type: 'array', items: extrinsicOrHash }] },
  networkChange: {
    type: 'object',
    properties: {
      join: {
        type: 'object',
        properties: {
          bootNodes: { type: 'array', items: { type: 'string' } },
          reservedNodes: { type: 'array', items: { type: 'string' } },
          reservedOnly: { type: 'boolean' },
        },
        additionalProperties: false,
      },
      leave: { const: true },
      dial: { type: 'string' },
      ban: { type: 'string' },
    },
    minProperties: 1,
    maxProperties: 1,
    additionalProperties: false,
  },
  forkChange: {
    type: 'object',
    properties: {
      rebase: { anyOf: [hash, { type: 'integer', minimum: 0 }, { enum: ['best', 'finalized'] }] },
    },
    required: ['rebase'],
  },
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
      report: { type: 'boolean' },
    },
    additionalProperties: false,
  },
  runtimeLogLevel: { type: 'integer', minimum: 0, maximum: 5 },
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
