import { NodeError } from '../../../src/protocol/errors.ts';
import type { network as networkTable } from '../../../src/protocol/rpc/network.ts';
import type { system } from '../../../src/protocol/rpc/system.ts';
import { bytesToKey, concatBytes, equalBytes } from '../../bytes/bytes.ts';
import { bytesToHex, hexToBytes } from '../../bytes/hex.ts';
import type { ChainSpec } from '../../chain/genesis/spec.ts';
import type { NetworkPeer } from '../../network/network.ts';
import { isEthereumForm, readOpaqueExtrinsic, toNumber } from '../convert.ts';
import type { RpcDialect } from '../dialects/dialect.ts';
import { invalidParams, RpcError } from '../errors.ts';
import type { Handlers } from '../handlers.ts';
import { blockAt, failureText, withRuntimeErrors } from '../lookups.ts';
import type { RpcParts } from '../parts.ts';

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
  const isEthereum =
    isEthereumForm(text) && (await (await import('../../dev/accounts.ts')).hasEthereumAccounts(deps.chain));
  const account = isEthereum ? hexToBytes(text) : dialect.readAccount(deps, text);
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

/** A peer as `system_peers` gives it. */
export const peerToJson = ({ id, role, best }: Omit<NetworkPeer, 'reputation'>) => ({
  peerId: id,
  roles: role.toUpperCase(),
  bestHash: best.hash,
  bestNumber: best.number,
});

export const createSystemMethods = (
  implementation: Implementation,
  startingBlock: number,
): Handlers<
  typeof system,
  Pick<RpcParts, 'chain' | 'crypto' | 'pool' | 'config' | 'executor' | 'network' | 'syncing'>
> => ({
  system_name: () => implementation.name,
  system_version: () => implementation.version,
  system_chain: ({ chain }) => chain.spec.name,
  system_chainType: ({ chain }, _args, { dialect }) => chainTypeOf(chain.spec, dialect),
  system_properties: ({ chain }) => ({ ...chain.spec.properties }),
  system_health: ({ chain, network, syncing }) => ({
    peers: network.peers().length,
    isSyncing: syncing.isMajor(),
    shouldHavePeers: chain.spec.bootNodes.length > 0,
  }),
  system_peers: ({ network }) => network.peers().map(peerToJson),
  system_nodeRoles: ({ config }) => [config.keys.length > 0 ? 'Authority' : 'Full'],
  system_syncState: ({ chain, syncing }) => ({
    startingBlock,
    currentBlock: chain.best().number,
    highestBlock: syncing.highest(),
  }),
  system_dryRun: async (deps, { extrinsic, at }) => bytesToHex(await dryRun(deps, extrinsic, at)),
  system_addLogFilter: (deps, { directives }) => addLogFilter(deps, directives),
  system_resetLogFilter: ({ executor }) => {
    executor.logFilter.reset();
    return null;
  },
  system_accountNextIndex: (deps, { account }, { dialect }) => nextIndex(deps, account, dialect),
});

/** Reports malformed peer arguments as error 2002 with the parser's message. */
const readPeer = async (work: () => Promise<void>): Promise<null> => {
  try {
    await work();
    return null;
  } catch (error) {
    if (!(error instanceof NodeError) || error.code === 'QueueFull') throw error;
    throw new RpcError(2002, error.message);
  }
};

export const networkMethods: Handlers<typeof networkTable, Pick<RpcParts, 'localPeer' | 'network'>> = {
  system_localPeerId: ({ localPeer }) => localPeer.peerId(),
  system_localListenAddresses: ({ localPeer }) => [...localPeer.addresses()],
  system_networkState: ({ localPeer, network }) => ({
    peerId: localPeer.peerId(),
    listenedAddresses: [...localPeer.addresses()],
    externalAddresses: [],
    connectedPeers: Object.fromEntries(network.peers().map(({ id }) => [id, {}])),
    notConnectedPeers: {},
    peerset: null,
  }),
  system_reservedPeers: ({ network }) => [...(network.opened()?.reserved() ?? [])],
  system_addReservedPeer: ({ network }, { peer }) =>
    readPeer(async () => (await network.open()).reserve(peer)),
  system_removeReservedPeer: ({ network }, { peer_id }) =>
    readPeer(async () => (await network.open()).release(peer_id)),
};

const applyExtrinsic = 'BlockBuilder_apply_extrinsic';
/** The API version since which a module error has four bytes instead of one. */
const wideErrorsSince = 6;

/** The SDK's message ends with a full stop here, but not for extrinsics that do not decode. */
const dryRunFailed = (why: string): RpcError => new RpcError(1, 'Unable to dry run extrinsic.', why);

/** `Ok(Err(Module { index, error: u8 }))` of old runtimes, with the error extended to four bytes. */
const widenModuleError = (output: Uint8Array): Uint8Array => {
  const isModuleError = output.length === 5 && output[0] === 0 && output[1] === 1 && output[2] === 3;
  return isModuleError ? concatBytes(output, new Uint8Array(3)) : output;
};

/**
 * `Err(Invalid(AncientBirthBlock))`. The SDK's node also returns this for a transaction born in the very
 * block it is tried on, because the state of a block does not contain the block's own hash. The next block's
 * does, and that is where the transaction would be included.
 */
const isAncient = (output: Uint8Array): boolean => equalBytes(output, Uint8Array.of(1, 0, 5));

const badBytes = (why: string): RpcError =>
  new RpcError(2, 'Unable to dry run extrinsic', `Could not decode \`OpaqueExtrinsic.0\`:\n\t${why}\n`);

/**
 * Applies an extrinsic to the state of a block without initializing a new block, drops the changes, and
 * returns the SCALE ApplyExtrinsicResult. If the result is AncientBirthBlock, tries again within the next
 * block. Throws code 2 for bytes that are not an extrinsic, 1 for all other errors.
 */
export const dryRun = async (
  deps: Pick<RpcParts, 'chain'>,
  bytes: Uint8Array,
  at: string | null | undefined,
): Promise<Uint8Array> => {
  const { extrinsic } = readOpaqueExtrinsic(bytes, badBytes);
  const hash = blockAt(deps, at);
  return await withRuntimeErrors(hash, dryRunFailed, async () => {
    const version = (await deps.chain.runtimeAt(hash)).apiVersion('BlockBuilder');
    if (version === null) throw dryRunFailed(`Could not find \`BlockBuilder\` api for block \`${hash}\`.`);
    const first = await deps.chain.callAt(hash, applyExtrinsic, extrinsic);
    const isOld = first.ok && isAncient(first.output);
    const next = isOld
      ? await deps.chain.callAt(hash, applyExtrinsic, extrinsic, { inNextBlock: true })
      : null;
    const result = next?.ok === true ? next : first;
    if (!result.ok) throw dryRunFailed(failureText(applyExtrinsic, result));
    return version < wideErrorsSince ? widenModuleError(result.output) : result.output;
  });
};
