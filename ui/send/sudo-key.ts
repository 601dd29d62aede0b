import { decodeStored, storageEntry } from '../meta/storage.ts';
import type { RuntimeMeta } from '../meta/types.ts';
import type { UiNode } from '../state/ui-node.ts';

/** The account that pallet-sudo obeys, 0x text; null where there is none. */
export const loadSudoKey = async (
  node: Pick<UiNode, 'request'>,
  meta: RuntimeMeta,
): Promise<string | null> => {
  const entry = storageEntry(meta, 'Sudo', 'Key');
  if (entry === null) return null;
  const hex = (await node.request('state_getStorage', [entry.prefix])) as string | null;
  const value = decodeStored(meta, entry, hex)?.value;
  return value?.kind === 'account' ? value.id : null;
};
