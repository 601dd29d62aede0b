import { NodeError } from '../../../src/protocol/errors.ts';
import type { system } from '../../../src/protocol/rpc/system.ts';
import { bytesToKey, concatBytes } from '../../bytes/bytes.ts';
import { bytesToHex } from '../../bytes/hex.ts';
import type { ChainSpec } from '../../chain/genesis/spec.ts';
import { toNumber } from '../convert.ts';
import type { RpcDialect } from '../dialects/dialect.ts';
import { invalidParams, RpcError } from '../errors.ts';
import type { Handlers } from '../handlers.ts';
import { failureText } from '../lookups.ts';
import type { RpcParts } from '../parts.ts';
import { dryRun } from './dry-run.ts';

export type Implementation = { readonly name: string; readonly version: string };

const knownTypes: readonly unknown[] = ['Development', 'Local', 'Live'];

/** The name of a custom chain type, written as `{"Custom":name}` or as a bare string. */
const customName = (type: unknown): string => {
  if (typeof type === 'string') return type;
  const custom =
    typeof type === 'object' && type !== null ? (type as Readonly<Record<string, unknown>>)['Custom'] : null;
  return typeof custom === 'string' ? custom : 'Custom';
};

export const chainTypeOf = (
  { chainType }: ChainSpec,
  dialect: Pick<RpcDialect, 'customChainType' | 'readAccount'>,
): string | { Custom: string } => {
  if (knownTypes.includes(chainType)) return chainType as string;
  return dialect.customChainType(customName(chainType));
};

const leToBig = (bytes: Uint8Array): bigint =>
  bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);

const bigToLe = (value: bigint, width: number): Uint8Array =>
  Uint8Array.from({ length: width }, (_, index) => Number((value >> BigInt(8 * index)) & 255n));

const stateNonce = async ({ chain }: Pick<RpcParts, 'chain'>, account: Uint8Array): Promise<Uint8Array> => {
  const method = 'AccountNonceApi_account_nonce';
  let why: string;
  try {
    const result = await chain.callAt(chain.best().hash, method, account);
    if (result.ok) return result.output;
    why = failureText(method, result);
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    why = error.message;
  }
  throw new RpcError(1, 'Unable to query nonce.', why);
};

/**
 * The nonce of the state, incremented for each ready transaction whose first tag is this account and nonce.
 */
const nextIndex = async (
  deps: Pick<RpcParts, 'chain' | 'crypto' | 'pool'>,
  text: string,
  dialect: Pick<RpcDialect, 'customChainType' | 'readAccount'>,
): Promise<number | bigint> => {
  const account = dialect.readAccount(deps, text);
  const output = await stateNonce(deps, account);
  let nonce = leToBig(output);
  const tagOf = (value: bigint): string => bytesToKey(concatBytes(account, bigToLe(value, output.length)));
  const isTaken = (tag: string): boolean => deps.pool.provider(tag)?.provides[0] === tag;
  // A nonce that no longer fits the runtime's type would wrap around.
  const bits = BigInt(8 * output.length);
  while (nonce >> bits === 0n && isTaken(tagOf(nonce))) nonce += 1n;
  return toNumber(nonce);
};

const addLogFilter = ({ executor }: Pick<RpcParts, 'executor'>, directives: string): null => {
  try {
    executor.logFilter.add(directives);
    return null;
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    const { code, message, data } = invalidParams(error.message);
    throw new RpcError(code, message, data);
  }
};

export const createSystemMethods = (
  implementation: Implementation,
  startingBlock: number,
): Handlers<
  typeof system,
  Pick<RpcParts, 'chain' | 'crypto' | 'pool' | 'config' | 'executor' | 'links'>
> => ({
  system_name: () => implementation.name,
  system_version: () => implementation.version,
  system_chain: ({ chain }) => chain.spec.name,
  system_chainType: ({ chain }, _args, { dialect }) => chainTypeOf(chain.spec, dialect),
  system_properties: ({ chain }) => ({ ...chain.spec.properties }),
  system_health: ({ chain, links }) => ({
    peers: links.peers().length,
    isSyncing: false,
    shouldHavePeers: chain.spec.bootNodes.length > 0,
  }),
  // A node of the page or process has no peer id, and does not say whether it is an authority.
  system_peers: ({ links }) =>
    links.peers().map(({ name, best }) => ({
      peerId: name,
      roles: 'FULL',
      bestHash: best.hash,
      bestNumber: best.number,
    })),
  system_nodeRoles: ({ config }) => [config.keys.length > 0 ? 'Authority' : 'Full'],
  system_syncState: ({ chain }) => {
    const { number } = chain.best();
    return { startingBlock, currentBlock: number, highestBlock: number };
  },
  system_dryRun: async (deps, { extrinsic, at }) => bytesToHex(await dryRun(deps, extrinsic, at)),
  system_addLogFilter: (deps, { directives }) => addLogFilter(deps, directives),
  system_resetLogFilter: ({ executor }) => {
    executor.logFilter.reset();
    return null;
  },
  system_accountNextIndex: (deps, { account }, { dialect }) => nextIndex(deps, account, dialect),
});
