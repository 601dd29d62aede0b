import { NodeError } from '../../../src/protocol/errors.ts';
import { hexToBytes } from '../../bytes/hex.ts';
import { type BlockHash, bytesToBlockHash } from '../../codec/identity.ts';
import { isRecord } from './spec.ts';
import { type ChainRules, type CodeSubstitute, noRules } from './spec-rules.ts';

/**
 * The fields of sc-chain-spec's `ClientSpec` and of the extensions of SDK nodes. docs/chain-spec.md says what
 * becomes of each.
 */
const knownFields: ReadonlySet<string> = new Set([
  ...['name', 'id', 'chainType', 'bootNodes', 'telemetryEndpoints', 'protocolId', 'forkId', 'properties'],
  ...['consensusEngine', 'codeSubstitutes', 'genesis', 'forkBlocks', 'badBlocks', 'lightSyncState'],
  ...['relay_chain', 'relayChain', 'para_id', 'paraId', 'evm_since', 'evmSince'],
]);

export const unknownFields = (spec: object): readonly string[] =>
  Object.keys(spec).filter((name) => !knownFields.has(name));

export const badSpec = (why: string, cause?: unknown): NodeError =>
  new NodeError('BadSpec', `Chain specification: ${why}`, { cause });

export const readHex = (value: unknown, where: string): Uint8Array => {
  if (typeof value !== 'string') throw badSpec(`${where} is not hex text`);
  try {
    return hexToBytes(value);
  } catch (cause) {
    throw badSpec(`${where} is not hex text`, cause);
  }
};

const isBlockNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 32;

const readHash = (value: unknown, where: string): BlockHash => {
  const bytes = readHex(value, where);
  if (bytes.length !== 32) throw badSpec(`${where} is not a block hash`);
  return bytesToBlockHash(bytes);
};

const readSubstitutes = (value: unknown): CodeSubstitute[] => {
  if (value === undefined) return [];
  if (!isRecord(value)) throw badSpec('codeSubstitutes is not an object');
  return Object.entries(value).map(([key, code]) => {
    // Specifications of before 2022 name the block by its hash; the SDK refuses them as well.
    const from = /^\+?[0-9]+$/.test(key) ? Number(key) : null;
    if (!isBlockNumber(from)) throw badSpec(`codeSubstitutes: "${key}" is not a block number`);
    return { from, code: readHex(code, `codeSubstitutes[${key}]`) };
  });
};

const readBadBlocks = (value: unknown): ReadonlySet<BlockHash> => {
  if (value === undefined || value === null) return noRules.badBlocks;
  if (!Array.isArray(value)) throw badSpec('badBlocks is not an array');
  return new Set(value.map((hash: unknown, at) => readHash(hash, `badBlocks[${at}]`)));
};

const readForkBlocks = (value: unknown): ReadonlyMap<number, BlockHash> => {
  if (value === undefined || value === null) return noRules.forkBlocks;
  if (!Array.isArray(value)) throw badSpec('forkBlocks is not an array');
  const pairs = value.map((pair: unknown, at): [number, BlockHash] => {
    const where = `forkBlocks[${at}]`;
    if (!Array.isArray(pair) || pair.length !== 2) throw badSpec(`${where} is not a pair of number and hash`);
    const [number, hash] = pair as [unknown, unknown];
    if (!isBlockNumber(number)) throw badSpec(`${where} does not begin with a block number`);
    return [number, readHash(hash, where)];
  });
  return new Map(pairs);
};

/** Throws `BadSpec`. */
export const readRules = (spec: Readonly<Record<string, unknown>>): ChainRules => ({
  substitutes: readSubstitutes(spec['codeSubstitutes']),
  badBlocks: readBadBlocks(spec['badBlocks']),
  forkBlocks: readForkBlocks(spec['forkBlocks']),
});
