import type { childstate as table } from '../../../../src/protocol/rpc/childstate.ts';
import { noBytes, startsWithBytes } from '../../../bytes/bytes.ts';
import { bytesToHexOrNull } from '../../../bytes/hex.ts';
import { type Backend, childPrefix } from '../../../state/backend.ts';
import { RpcError } from '../../errors.ts';
import type { Handlers } from '../../handlers.ts';
import { blockAt, readState } from '../../lookups.ts';
import type { RpcParts } from '../../parts.ts';
import { createBudget, hexCharacters, listKeys } from './walks.ts';

type Deps = Pick<RpcParts, 'chain'>;

/** A child's name from its key in the main trie. Throws 4003. */
export const childName = (storageKey: Uint8Array): Uint8Array => {
  if (!startsWithBytes(storageKey, childPrefix))
    throw new RpcError(4003, 'Client error: Invalid child storage key');
  return storageKey.subarray(childPrefix.length);
};

const readChild = async <T>(
  deps: Deps,
  storageKey: Uint8Array,
  at: string | null | undefined,
  read: (backend: Backend, name: Uint8Array) => T,
): Promise<T> => {
  const name = childName(storageKey);
  return readState(deps, at, (backend) => read(backend, name));
};

export const childstateMethods: Handlers<typeof table, Deps> = {
  childstate_getKeys: async (deps, { child_storage_key, prefix, hash }, context) => {
    const walk = { at: blockAt(deps, hash), child: childName(child_storage_key), prefix };
    return listKeys(deps, walk, createBudget(context));
  },
  childstate_getKeysPaged: async (deps, { child_storage_key, prefix, count, start_key, hash }, context) => {
    const child = childName(child_storage_key);
    const walk = {
      at: blockAt(deps, hash),
      child,
      prefix: prefix ?? noBytes,
      start: start_key ?? null,
      count,
    };
    return listKeys(deps, walk, createBudget(context));
  },
  childstate_getStorage: (deps, { child_storage_key, key, hash }) =>
    readChild(deps, child_storage_key, hash, (backend, name) =>
      bytesToHexOrNull(backend.childGet(name, key)),
    ),
  childstate_getStorageEntries: async (deps, { child_storage_key, keys, hash }, context) => {
    const name = childName(child_storage_key);
    const at = blockAt(deps, hash);
    const budget = createBudget(context);
    const values: (string | null)[] = [];
    for (const key of keys) {
      const value = await readState(deps, at, (backend) => backend.childGet(name, key));
      budget.spend(hexCharacters(value));
      values.push(bytesToHexOrNull(value));
      await budget.rest();
    }
    return values;
  },
  childstate_getStorageHash: (deps, { child_storage_key, key, hash }) =>
    readChild(deps, child_storage_key, hash, (backend, name) =>
      bytesToHexOrNull(backend.childValueHash(name, key)),
    ),
  childstate_getStorageSize: (deps, { child_storage_key, key, hash }) =>
    readChild(deps, child_storage_key, hash, (backend, name) => backend.childValueSize(name, key)),
};
