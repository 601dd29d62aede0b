import { decodeStored, storageEntry } from '../../../src/scale/storage.ts';
import type { UiNode } from '../client/ui-node.ts';
import type { MetadataOfBlocks } from '../metadata.svelte.ts';

/** Account id of the sudo key of the best block, as a 0x string; null if there is none. Rejects if it cannot be read. */
export const loadSudoKey = async (
  node: Pick<UiNode, 'request'>,
  metadata: Pick<MetadataOfBlocks, 'of'>,
): Promise<string | null> => {
  const meta = await metadata.of(null);
  const entry = storageEntry(meta, 'Sudo', 'Key');
  if (entry === null) return null;
  const value = decodeStored(meta, entry, await node.request('state_getStorage', [entry.prefix]))?.value;
  return value?.kind === 'account' ? value.id : null;
};
