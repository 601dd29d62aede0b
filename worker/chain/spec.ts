import { NodeError } from '../../src/protocol/errors.ts';
import { startsWithBytes, textToBytes } from '../bytes/bytes.ts';
import { hexToBytes } from '../bytes/hex.ts';

type Pairs = readonly (readonly [key: Uint8Array, value: Uint8Array])[];

/** The source of the genesis state. */
export type GenesisSource =
  | {
      readonly kind: 'raw';
      readonly top: Pairs;
      readonly children: readonly (readonly [name: Uint8Array, Pairs])[];
    }
  | {
      readonly kind: 'runtime';
      readonly code: Uint8Array;
      /** A preset of the runtime's GenesisBuilder. */
      readonly preset: string | null;
      /** JSON merged over the runtime's default and the preset. */
      readonly patch: string | null;
      /** A complete configuration as JSON, used unchanged. */
      readonly config: string | null;
    };

/** A chain specification in the SDK's format. `properties` and `chainType` are kept unchanged. */
export type ChainSpec = {
  readonly name: string;
  readonly id: string;
  readonly chainType: unknown;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly bootNodes: readonly string[];
  readonly genesis: GenesisSource;
  /** The other fields, unchanged. */
  readonly rest: Readonly<Record<string, unknown>>;
};

const childPrefix = ':child_storage:default:';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const bad = (why: string): NodeError => new NodeError('BadSpec', `Chain specification: ${why}`);

const readHex = (value: unknown, where: string): Uint8Array => {
  if (typeof value !== 'string') throw bad(`${where} is not hex text`);
  try {
    return hexToBytes(value);
  } catch (cause) {
    throw new NodeError('BadSpec', `Chain specification: ${where} is not hex text`, { cause });
  }
};

const readPairs = (value: unknown, where: string): Pairs => {
  if (!isRecord(value)) throw bad(`${where} is not an object`);
  return Object.entries(value).map(
    ([key, text]) => [readHex(key, `a key of ${where}`), readHex(text, `${where}[${key}]`)] as const,
  );
};

const readRaw = (raw: Record<string, unknown>): GenesisSource => {
  const prefix = textToBytes(childPrefix);
  const children = Object.entries(isRecord(raw['childrenDefault']) ? raw['childrenDefault'] : {}).map(
    ([name, pairs]) => {
      const key = readHex(name, 'a child trie');
      // The SDK writes the bare child name; some tools write the whole main-trie key.
      const bare = startsWithBytes(key, prefix) ? key.slice(prefix.length) : key;
      return [bare, readPairs(pairs, `child trie ${name}`)] as const;
    },
  );
  return { kind: 'raw', top: readPairs(raw['top'], 'genesis.raw.top'), children };
};

/** JSON text that preserves its numbers: balances exceed 2^53. */
export const exactJson = {
  parse: (text: string): unknown =>
    JSON.parse(text, ((_key: string, value: unknown, context?: { source?: string }) => {
      const raw = (JSON as unknown as { rawJSON?: (source: string) => unknown }).rawJSON;
      if (
        typeof value !== 'number' ||
        Number.isSafeInteger(value) ||
        context?.source === undefined ||
        raw === undefined
      )
        return value;
      return raw(context.source);
    }) as (key: string, value: unknown) => unknown),
  stringify: (value: unknown): string => JSON.stringify(value),
};

const isRawNumber = (value: unknown): boolean => {
  const test = (JSON as unknown as { isRawJSON?: (value: unknown) => boolean }).isRawJSON;
  return test?.(value) ?? false;
};

/** RFC 7396 merge, as sc-chain-spec's `json_merge`: objects merge, null removes, everything else replaces. */
export const mergeJson = (base: unknown, patch: unknown): unknown => {
  if (!isRecord(patch) || isRawNumber(patch)) return patch;
  const out: Record<string, unknown> = isRecord(base) && !isRawNumber(base) ? { ...base } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete out[key];
    else out[key] = mergeJson(out[key], value);
  }
  return out;
};

const readRuntimeGenesis = (value: Record<string, unknown>): GenesisSource => {
  const patch = value['patch'];
  const config = value['config'];
  return {
    kind: 'runtime',
    code: readHex(value['code'], 'genesis.runtimeGenesis.code'),
    preset: typeof value['preset'] === 'string' ? value['preset'] : null,
    patch: patch === undefined ? null : exactJson.stringify(patch),
    config: config === undefined ? null : exactJson.stringify(config),
  };
};

const readGenesis = (genesis: unknown): GenesisSource => {
  if (!isRecord(genesis)) throw bad('genesis is missing');
  if (isRecord(genesis['raw'])) return readRaw(genesis['raw']);
  if (isRecord(genesis['runtimeGenesis'])) return readRuntimeGenesis(genesis['runtimeGenesis']);
  throw bad(
    'genesis is neither raw nor runtimeGenesis (specifications with a genesis of named pallets need the native node that made them)',
  );
};

/** Parses a chain specification, raw or plain. Throws `BadSpec` with the location of the error. */
export const parseChainSpec = (text: string): ChainSpec => {
  let json: unknown;
  try {
    json = exactJson.parse(text);
  } catch (cause) {
    throw new NodeError(
      'BadSpec',
      `Chain specification: not JSON (${cause instanceof Error ? cause.message : String(cause)})`,
      { cause },
    );
  }
  if (!isRecord(json)) throw bad('not a JSON object');
  const { name, id, chainType, properties, bootNodes, genesis, ...rest } = json;
  if (typeof name !== 'string' || typeof id !== 'string') throw bad('name or id is missing');
  return {
    name,
    id,
    chainType: chainType ?? 'Live',
    properties: isRecord(properties) ? properties : {},
    bootNodes: Array.isArray(bootNodes) ? bootNodes.filter((node) => typeof node === 'string') : [],
    genesis: readGenesis(genesis),
    rest,
  };
};
