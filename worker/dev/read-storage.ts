import { NodeError } from '../../src/protocol/errors.ts';
import type { Chain } from '../chain/chain.ts';
import type { BlockHash } from '../codec/identity.ts';
import { loadMeta } from './metadata.ts';
import { type NamedStorage, readNamedStorage, type StoragePair } from './storage-names.ts';

/** Maximum number of entries that one call may remove. Each is a key in memory and a change of the trie. */
const mostRemoved = 100_000;
const keysAtOnce = 1000;

/**
 * Resolves names and values with the metadata of a block's runtime. Throws `BadValue`, `Unsupported`,
 * `LimitReached`.
 */
export const readStorage = async (
  { chain }: { readonly chain: Chain },
  hash: BlockHash,
  storage: NamedStorage,
): Promise<StoragePair[]> => {
  const meta = await loadMeta(chain, hash);
  if (meta === null)
    throw new NodeError(
      'Unsupported',
      'The metadata of this runtime is older than V14: write [[key, value]] with whole storage keys and values as SCALE hex',
    );
  const loadKeys = async (prefix: Uint8Array): Promise<readonly Uint8Array[]> => {
    const keys: Uint8Array[] = [];
    while (keys.length <= mostRemoved) {
      const start = keys.at(-1) ?? null;
      const page = await chain.withState(hash, (backend) => backend.keysPaged(prefix, keysAtOnce, start));
      keys.push(...page);
      if (page.length < keysAtOnce) return keys;
    }
    throw new NodeError(
      'LimitReached',
      `$removePrefix takes away up to ${mostRemoved} entries; there are more`,
    );
  };
  return readNamedStorage({ meta, loadKeys }, storage);
};
