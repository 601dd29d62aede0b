import { NodeError } from '../../../../src/protocol/errors.ts';
import type { state as table } from '../../../../src/protocol/rpc/state.ts';
import { noBytes } from '../../../bytes/bytes.ts';
import { bytesToHex } from '../../../bytes/hex.ts';
import { Reader } from '../../../bytes/reader.ts';
import type { BlockHash } from '../../../codec/identity.ts';
import type { RuntimeVersion } from '../../../codec/runtime-version.ts';
import type { Runtime } from '../../../executor/executor.ts';
import type { Backend } from '../../../state/backend.ts';
import { toBlockHash } from '../../convert.ts';
import { RpcError } from '../../errors.ts';
import type { CallContext, Handlers } from '../../handlers.ts';
import { blockAt, callRuntime, lookUp, readState } from '../../lookups.ts';
import type { RpcParts } from '../../parts.ts';
import { hexJson, type PreserializedJson, proofJson } from '../../results.ts';
import { traceBlock } from './block-trace.ts';
import { callRecorded } from './call-recorded.ts';
import { childName } from './childstate.ts';
import { migrationStatus } from './migration-status.ts';
import { queryStorage } from './query-storage.ts';
import { createChangeSets, followRuntimeVersion, followStorage } from './state-feeds.ts';
import { createBudget, hexCharacters, listKeys, walkKeys } from './walks.ts';

/** The runtime returns a byte vector. JSON-RPC returns its content. */
const stripLength = (output: Uint8Array): Uint8Array => {
  try {
    return new Reader(output).vecBytes();
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    throw new RpcError(4003, `Client error: Could not decode the metadata: ${error.message}`);
  }
};

export type LoadMetadata = (
  parts: Pick<RpcParts, 'chain'>,
  hash: BlockHash,
) => Promise<PreserializedJson<string>>;

/** A block's metadata as hex. Each runtime is called once. A missing block or state is error 4003. */
export const createMetadata = (): LoadMetadata => {
  // Metadata depends only on the code, so the result is valid for every state with the same runtime.
  const known = new WeakMap<Runtime, PreserializedJson<string>>();
  return async (parts, hash) => {
    const runtime = await lookUp('api', hash, () => parts.chain.runtimeAt(hash));
    const before = known.get(runtime);
    if (before !== undefined) return before;
    const text = hexJson(stripLength(await callRuntime(parts, 'api', hash, 'Metadata_metadata', noBytes)));
    known.set(runtime, text);
    return text;
  };
};

type Deps = Pick<RpcParts, 'chain' | 'onError'>;

const toHex = (value: Uint8Array | null) => (value === null ? null : hexJson(value));

/** Time limit for adding up sizes on a connection that denies unsafe calls. */
const safeWalkMs = 30_000;

/** The sum of the values under a prefix, which the SDK returns for a key without a value. 0 becomes null. */
const sizeUnder = async (
  deps: Deps,
  at: string | null | undefined,
  prefix: Uint8Array,
  context: CallContext,
): Promise<number | null> => {
  let sum = 0;
  const ends = context.denyUnsafe !== false ? performance.now() + safeWalkMs : Number.POSITIVE_INFINITY;
  const sizeOf = (backend: Backend, key: Uint8Array, inlineLength: number | null): number => {
    if (performance.now() > ends) throw new RpcError(4003, 'Client error: task has been running too long');
    return inlineLength ?? backend.valueSize(key) ?? 0;
  };
  await walkKeys(deps, { at: blockAt(deps, at), prefix }, createBudget(context), sizeOf, (size) => {
    sum += size;
  });
  return sum === 0 ? null : sum;
};

/** `stateVersion` is the older name of `systemVersion`; both are returned. */
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

type Kept = 'state_subscribeStorage' | 'state_getMetadata';
const otherMethods: Omit<Handlers<typeof table, Deps>, Kept> = {
  state_call: async (deps, { name, bytes, hash }) =>
    hexJson(await callRuntime(deps, 'call', hash, name, bytes)),
  state_getKeys: (deps, { prefix, hash }, context) =>
    listKeys(deps, { at: blockAt(deps, hash), prefix }, createBudget(context)),
  state_getPairs: async (deps, { prefix, hash }, context) => {
    const pairs: [string, string][] = [];
    const budget = createBudget(context);
    const read = (backend: Backend, key: Uint8Array) => [key, backend.get(key) ?? noBytes] as const;
    await walkKeys(
      deps,
      { at: blockAt(deps, hash), prefix, readsValues: true },
      budget,
      read,
      ([key, value]) => {
        budget.spend(hexCharacters(key) + hexCharacters(value) + 2);
        pairs.push([bytesToHex(key), bytesToHex(value)]);
      },
    );
    return pairs;
  },
  state_getKeysPaged: (deps, { prefix, count, start_key, hash }, context) => {
    const max = context.dialect.maxKeysPaged;
    if (count > max) throw new RpcError(4002, `count exceeds maximum value. value: ${count}, max: ${max}`);
    const walk = { at: blockAt(deps, hash), prefix: prefix ?? noBytes, start: start_key ?? null, count };
    return listKeys(deps, walk, createBudget(context));
  },
  state_getStorage: (deps, { key, hash }) => readState(deps, hash, (backend) => toHex(backend.get(key))),
  state_getStorageHash: (deps, { key, hash }) =>
    readState(deps, hash, (backend) => toHex(backend.valueHash(key))),
  state_getStorageSize: async (deps, { key, hash }, context) => {
    const size = await readState(deps, hash, (backend) => backend.valueSize(key));
    return size ?? context.dialect.sizeOfNone(() => sizeUnder(deps, hash, key, context));
  },
  state_getRuntimeVersion: async (deps, args) => {
    const hash = blockAt(deps, args.hash);
    const runtime = await lookUp('api', hash, () => deps.chain.runtimeAt(hash));
    return runtimeVersionToJson(runtime.version);
  },
  state_queryStorage: (deps, { keys, block, hash }, context) =>
    queryStorage(deps, keys, { from: toBlockHash(block), to: blockAt(deps, hash) }, createBudget(context)),
  state_queryStorageAt: (deps, { keys, at }, context) => {
    const block = blockAt(deps, at);
    return queryStorage(deps, keys, { from: block, to: block }, createBudget(context));
  },
  state_getReadProof: (deps, { keys, hash }) => {
    const at = blockAt(deps, hash);
    return readState(deps, at, (backend) => proofJson(at, backend.prove(keys)));
  },
  state_getChildReadProof: (deps, { child_storage_key, keys, hash }) => {
    const name = childName(child_storage_key);
    const at = blockAt(deps, hash);
    return readState(deps, at, (backend) => proofJson(at, backend.proveChild(name, keys)));
  },
  state_callRecorded: async (deps, { name, bytes, block }) =>
    hexJson(await callRecorded(deps, toBlockHash(block), name, bytes)),
  state_trieMigrationStatus: (deps, { at }, context) =>
    migrationStatus(deps, blockAt(deps, at), createBudget(context)),
  state_traceBlock: (deps, { block, targets, storage_keys, methods }, context) =>
    traceBlock(
      deps,
      toBlockHash(block),
      { targets: targets ?? null, storageKeys: storage_keys ?? null, methods: methods ?? null },
      createBudget(context),
    ),
  state_subscribeRuntimeVersion: (deps, _args, sink) =>
    followRuntimeVersion(deps, (version) => sink.emit(runtimeVersionToJson(version)), sink.end),
};

/** The methods of one server, which cache serialized metadata and the last block's changes. */
export const createStateMethods = (): Handlers<typeof table, Deps> => {
  const changeSets = createChangeSets();
  const loadMetadata = createMetadata();
  return {
    ...otherMethods,
    state_getMetadata: (deps, { hash }) => loadMetadata(deps, blockAt(deps, hash)),
    state_subscribeStorage: (deps, { keys }, sink) => followStorage(deps, changeSets, keys ?? null, sink),
  };
};
