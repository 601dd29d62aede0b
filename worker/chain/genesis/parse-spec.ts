import { chainIdFault } from '../../../src/protocol/chain-id.ts';
import { type ChainSpec, exactJson, type GenesisSource, isRecord, type Pairs } from './spec.ts';
import { badSpec as bad, readHex, readRules, unknownFields } from './spec-fields.ts';

const readPairs = (value: unknown, where: string): Pairs => {
  if (!isRecord(value)) throw bad(`${where} is not an object`);
  return Object.entries(value).map(
    ([key, text]) => [readHex(key, `a key of ${where}`), readHex(text, `${where}[${key}]`)] as const,
  );
};

const checkMembers = (value: Record<string, unknown>, where: string, known: readonly string[]): void => {
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) throw bad(`${where} has the unknown field "${unknown}"`);
};

const readRaw = (raw: Record<string, unknown>): GenesisSource => {
  checkMembers(raw, 'genesis.raw', ['top', 'childrenDefault']);
  const { childrenDefault = {} } = raw;
  if (!isRecord(childrenDefault)) throw bad('genesis.raw.childrenDefault is not an object');
  const children = Object.entries(childrenDefault).map(
    ([name, pairs]) => [readHex(name, 'a child trie'), readPairs(pairs, `child trie ${name}`)] as const,
  );
  return { kind: 'raw', top: readPairs(raw['top'], 'genesis.raw.top'), children };
};

/** The SDK uses whichever of `config` and `patch` comes first. */
const readRuntimeGenesis = (value: Record<string, unknown>): GenesisSource => {
  const first = Object.keys(value).find((key) => key === 'config' || key === 'patch');
  const read = (name: 'config' | 'patch'): string | null =>
    first === name ? exactJson.stringify(value[name]) : null;
  return {
    kind: 'runtime',
    code: readHex(value['code'], 'genesis.runtimeGenesis.code'),
    preset: typeof value['preset'] === 'string' ? value['preset'] : null,
    patch: read('patch'),
    config: read('config'),
  };
};

/** Members of `genesis.runtimeGenesis` that have no effect. */
const unusedMembers = (genesis: unknown): readonly string[] => {
  const value = isRecord(genesis) ? genesis['runtimeGenesis'] : null;
  if (!isRecord(value)) return [];
  const [, ...second] = Object.keys(value).filter((key) => key === 'config' || key === 'patch');
  const others = Object.keys(value).filter((key) => !['code', 'preset', 'config', 'patch'].includes(key));
  return [...others, ...second].map((key) => `genesis.runtimeGenesis.${key}`);
};

const readGenesis = (genesis: unknown): GenesisSource => {
  if (!isRecord(genesis)) throw bad('genesis is missing');
  const kinds = Object.keys(genesis);
  if (kinds.length > 1) throw bad(`genesis has more than one form: ${kinds.join(', ')}`);
  if (isRecord(genesis['raw'])) return readRaw(genesis['raw']);
  if (isRecord(genesis['runtimeGenesis'])) return readRuntimeGenesis(genesis['runtimeGenesis']);
  if ('stateRootHash' in genesis)
    throw bad(
      'genesis.stateRootHash names a state without its content, from which no node of the SDK can start',
    );
  throw bad(
    'genesis is neither raw nor runtimeGenesis (specifications with a genesis of named pallets need the native node that made them)',
  );
};

/** The limit of serde_json, with which the SDK reads specifications. */
const deepest = 127;

const isDeeper = (value: unknown, levels: number): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
};

const parseJson = (text: string): unknown => {
  let json: unknown;
  try {
    json = exactJson.parse(text);
  } catch (cause) {
    // Too deep even for the engine.
    if (!(cause instanceof SyntaxError)) throw bad(`nested more than ${deepest} levels deep`, cause);
    throw bad(`not JSON (${cause.message})`, cause);
  }
  if (isDeeper(json, deepest)) throw bad(`nested more than ${deepest} levels deep`);
  return json;
};

const readBootNodes = (value: unknown): readonly string[] => {
  const nodes = value ?? [];
  if (!Array.isArray(nodes) || nodes.some((node) => typeof node !== 'string'))
    throw bad('bootNodes is not an array of texts');
  return nodes as string[];
};

/** The fields that only need to be of the SDK's type. */
const checkTypes = (rest: Readonly<Record<string, unknown>>): void => {
  for (const name of ['protocolId', 'forkId'])
    if (typeof (rest[name] ?? '') !== 'string') throw bad(`${name} is not a text`);
  if ((rest['consensusEngine'] ?? null) !== null) throw bad('consensusEngine is not null');
};

/** Parses a chain specification, raw or plain. Throws `BadSpec` with the location of the error. */
export const parseChainSpec = (text: string): ChainSpec => {
  const json = parseJson(text);
  if (!isRecord(json)) throw bad('not a JSON object');
  const { name, id, chainType, properties, bootNodes, genesis, ...rest } = json;
  if (typeof name !== 'string' || typeof id !== 'string') throw bad('name or id is missing');
  const fault = chainIdFault(id);
  if (fault !== null) throw bad(fault);
  if (!isRecord(properties ?? {})) throw bad('properties is not an object');
  checkTypes(rest);
  return {
    name,
    id,
    chainType: chainType ?? 'Live',
    properties: isRecord(properties) ? properties : {},
    bootNodes: readBootNodes(bootNodes),
    genesis: readGenesis(genesis),
    rules: readRules(rest),
    unknown: [...unknownFields(json), ...unusedMembers(genesis)],
    rest,
  };
};
