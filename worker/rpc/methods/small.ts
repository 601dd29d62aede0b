import type { chainSpec } from '../../../src/protocol/rpc/chain.ts';
import type { beefy } from '../../../src/protocol/rpc/consensus.ts';
import { createRoutes, rpcTable } from '../../../src/protocol/rpc/index.ts';
import type { bitswap } from '../../../src/protocol/rpc/network.ts';
import type { rpc } from '../../../src/protocol/rpc/system.ts';
import type { traffic as trafficTable } from '../../../src/protocol/rpc/traffic.ts';
import type { Traffic } from '../connection/traffic.ts';
import { methodNotFound, RpcError } from '../errors.ts';
import type { Handlers } from '../handlers.ts';
import type { RpcParts } from '../parts.ts';

/** Returns the OpenRPC document, which is a separate file next to the worker. */
export type Describe = () => Promise<{ openrpc: string; methods: { name: string }[] }>;

/** The runtime API that a listed method requires, if any. */
const apiOf: ReadonlyMap<string, string> = new Map(
  [...createRoutes(rpcTable)].flatMap(([name, { entry }]) =>
    entry.needsApi === undefined ? [] : [[name, entry.needsApi] as const],
  ),
);

export const createRpcMethods = (describe: Describe): Handlers<typeof rpc, RpcParts> => ({
  'rpc.discover': () => describe(),
  rpc_methods: async ({ chain, sealing }, _args, { methods, dialect }) => {
    const { apiVersion } = await chain.runtimeAt(chain.best().hash);
    const isThere = (name: string): boolean => {
      if (name.startsWith('engine_') && !dialect.hasEngine(sealing.mode())) return false;
      const api = apiOf.get(name);
      return api === undefined || apiVersion(api) !== null;
    };
    return { methods: methods.filter(isThere) };
  },
});

export const chainSpecMethods: Handlers<typeof chainSpec, Pick<RpcParts, 'chain'>> = {
  chainSpec_v1_chainName: ({ chain }) => chain.spec.name,
  chainSpec_v1_genesisHash: ({ chain }) => chain.genesisHash,
  chainSpec_v1_properties: ({ chain }) => chain.spec.properties,
};

const base58 = '[1-9A-HJ-NP-Za-km-z]';
/** Version 0: base58 of a sha2-256 multihash only. */
const version0 = new RegExp(`^Qm${base58}{44}$`);
/** Version 1 as text: a character for the base (multibase), then hex, base32 or base58. */
const version1 = new RegExp(`^(f([0-9a-f]{2})+|F([0-9A-F]{2})+|b[a-z2-7]+|B[A-Z2-7]+|z${base58}+)$`);

/** Why a text is not a CID of version 1, in the wording of a native node; null if its form is valid. */
const faultOf = (text: string): string | null => {
  const path = text.indexOf('/ipfs/');
  const own = path < 0 ? text : text.slice(path + 6);
  if (own.length < 2) return 'Input too short';
  if (version0.test(own)) return 'Only CIDv1 is supported';
  return version1.test(own) ? null : 'Failed to parse multihash';
};

export const bitswapMethods: Handlers<typeof bitswap, object> = {
  /**
   * The SDK looks the digest up in the transactions that the runtime indexed with
   * `ext_transaction_index_index`. Here that host function stores nothing (executor/host/misc.ts), so no CID
   * is ever found and the digest is not parsed. A native node responds the same way on any chain whose
   * runtime never indexes. -32812, `MajorSyncing`, never occurs, because this node does not sync from others.
   */
  bitswap_v1_get: (_deps, { cid }) => {
    const fault = faultOf(cid);
    if (fault !== null) throw new RpcError(-32602, `Invalid CID: ${fault}`, { variant: 'InvalidCid' });
    throw new RpcError(-32810, 'Transaction not found', { variant: 'NotFound' });
  },
};

type BeefyDeps = Pick<RpcParts, 'chain'>;

const needApi = async ({ chain }: BeefyDeps): Promise<void> => {
  if ((await chain.runtimeAt(chain.best().hash)).apiVersion('BeefyApi') === null)
    throw new RpcError(methodNotFound.code, methodNotFound.message);
};

export const beefyMethods: Handlers<typeof beefy, BeefyDeps> = {
  beefy_getFinalizedHead: async (deps) => {
    await needApi(deps);
    throw new RpcError(1, 'BEEFY RPC endpoint not ready');
  },
  beefy_subscribeJustifications: async (deps) => {
    await needApi(deps);
    return () => undefined;
  },
};

const defaultTextLimit = 2000;
const maxTextLimit = 16 * 1024 * 1024;

/** Reports the messages of all clients. */
export const createTrafficMethods = (traffic: Traffic): Handlers<typeof trafficTable, unknown> => ({
  dev_subscribeTraffic: (_deps, { text_limit, own }, sink, { connection }) =>
    traffic.follow(
      { connection, own: own === true, textLimit: Math.min(text_limit ?? defaultTextLimit, maxTextLimit) },
      sink.emit,
    ),
});
