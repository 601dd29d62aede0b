import { NodeError } from '../../../src/protocol/errors.ts';
import type { state as table } from '../../../src/protocol/rpc/state.ts';
import { noBytes } from '../../bytes/bytes.ts';
import { bytesToHex } from '../../bytes/hex.ts';
import { Reader } from '../../bytes/reader.ts';
import type { RuntimeVersion } from '../../codec/runtime-version.ts';
import type { Backend } from '../../state/backend.ts';
import { deniedUnsafe, isLookUpFailure, lookUpText, RpcError } from '../errors.ts';
import type { Handlers } from '../handlers.ts';
import { blockAt, callRuntime, lookUp, readState } from '../lookups.ts';
import type { RpcParts } from '../parts.ts';
import { followRuntimeVersion, followStorage } from '../state-feeds.ts';

type Deps = Pick<RpcParts, 'chain'>;

/** The SDK's bound on one page (RPC.md §1.8). */
const pageLimit = 1000;
const all = 0xffff_ffff;

const toHex = (value: Uint8Array | null): string | null => (value === null ? null : bytesToHex(value));

/** The sum of the values under a prefix, which the SDK answers for a key without value; 0 is null. */
const sizeUnder = (backend: Backend, prefix: Uint8Array): number | null => {
  let sum = 0;
  for (const key of backend.keysPaged(prefix, all, null)) sum += backend.valueSize(key) ?? 0;
  return sum === 0 ? null : sum;
};

/** RPC.md §0.2: `stateVersion` is the older name of `systemVersion`; both are given. */
export const runtimeVersionToJson = (version: RuntimeVersion) => ({
  specName: version.specName,
  implName: version.implName,
  authoringVersion: version.authoringVersion,
  specVersion: version.specVersion,
  implVersion: version.implVersion,
  apis: version.apis.map(([id, number]): [string, number] => [bytesToHex(id), number]),
  transactionVersion: version.transactionVersion,
  systemVersion: version.systemVersion,
  stateVersion: version.systemVersion,
});

const queryAt = async (deps: Deps, keys: readonly Uint8Array[], at: string | null | undefined) => {
  const block = blockAt(deps, at);
  if (keys.length === 0) return [];
  try {
    const changes = await deps.chain.withState(block, (backend) =>
      keys.map((key): [string, string | null] => [bytesToHex(key), toHex(backend.get(key))]),
    );
    return [{ block, changes }];
  } catch (error) {
    if (!isLookUpFailure(error)) throw error;
    // The missing quote before the bracket is the SDK's.
    throw new RpcError(
      4001,
      `Cannot resolve a block range ['"${block}"' ... '"Some(${block})"]. ${lookUpText(error, 'state', block)}`,
    );
  }
};

/** The runtime answers a byte vector; the wire has its content. */
const stripLength = (output: Uint8Array): Uint8Array => {
  try {
    return new Reader(output).vecBytes();
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    throw new RpcError(4003, `Client error: Could not decode the metadata: ${error.message}`);
  }
};

export const stateMethods: Handlers<typeof table, Deps> = {
  state_call: async (deps, { name, bytes, hash }) =>
    bytesToHex(await callRuntime(deps, 'call', hash, name, bytes)),
  state_getKeys: (deps, { prefix, hash }) =>
    readState(deps, hash, (backend) => backend.keysPaged(prefix, all, null).map(bytesToHex)),
  state_getPairs: (deps, { prefix, hash }) =>
    readState(deps, hash, (backend) =>
      backend
        .keysPaged(prefix, all, null)
        .map((key): [string, string] => [bytesToHex(key), bytesToHex(backend.get(key) ?? noBytes)]),
    ),
  state_getKeysPaged: (deps, { prefix, count, start_key, hash }, { dialect }) => {
    if (dialect === 'polkadot-sdk' && count > pageLimit)
      throw new RpcError(4002, `count exceeds maximum value. value: ${count}, max: ${pageLimit}`);
    return readState(deps, hash, (backend) =>
      backend.keysPaged(prefix ?? noBytes, count, start_key ?? null).map(bytesToHex),
    );
  },
  state_getStorage: (deps, { key, hash }) => readState(deps, hash, (backend) => toHex(backend.get(key))),
  state_getStorageHash: (deps, { key, hash }) =>
    readState(deps, hash, (backend) => toHex(backend.valueHash(key))),
  state_getStorageSize: (deps, { key, hash }, { dialect }) =>
    readState(
      deps,
      hash,
      (backend) => backend.valueSize(key) ?? (dialect === 'polkadot-sdk' ? sizeUnder(backend, key) : null),
    ),
  state_getMetadata: async (deps, { hash }) =>
    bytesToHex(stripLength(await callRuntime(deps, 'api', hash, 'Metadata_metadata', noBytes))),
  state_getRuntimeVersion: async (deps, args) => {
    const hash = blockAt(deps, args.hash);
    const runtime = await lookUp('api', hash, () => deps.chain.runtimeAt(hash));
    return runtimeVersionToJson(runtime.version);
  },
  state_queryStorageAt: (deps, { keys, at }) => queryAt(deps, keys, at),
  state_getReadProof: async (deps, { keys, hash }) => {
    const at = blockAt(deps, hash);
    return { at, proof: await readState(deps, at, (backend) => backend.prove(keys).map(bytesToHex)) };
  },
  state_subscribeStorage: (deps, { keys }, sink, { dialect, denyUnsafe }) => {
    if (keys == null && denyUnsafe && dialect === 'polkadot-sdk')
      throw new RpcError(deniedUnsafe.code, deniedUnsafe.message);
    return followStorage(deps.chain, keys ?? null, sink.emit);
  },
  state_subscribeRuntimeVersion: (deps, _args, sink) =>
    followRuntimeVersion(deps.chain, (version) => sink.emit(runtimeVersionToJson(version))),
};
