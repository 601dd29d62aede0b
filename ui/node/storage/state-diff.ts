import { explainKey, type StorageEntry } from '../../../src/scale/storage.ts';
import type { RuntimeMeta } from '../../../src/scale/types.ts';
import type { UiNode } from '../client/ui-node.ts';
import { readStored, type StoredValue } from './storage-view.svelte.ts';
import { summaryText } from './summary.ts';

type Node = Pick<UiNode, 'rpc'>;

/** A state, and the metadata of the runtime that wrote it. */
export type ComparedState = { readonly hash: string; readonly meta: RuntimeMeta };

/** One key whose value differs between two states. */
export type KeyDiff = {
  readonly key: string;
  readonly group: string;
  readonly name: string;
  readonly before: DiffSide;
  readonly after: DiffSide;
};

/** The value in one of the states. */
export type DiffSide = StoredValue & {
  readonly meta: RuntimeMeta;
  /** The entry that holds the key; null if this state's metadata describes none. */
  readonly entry: StorageEntry | null;
};

const palletBytes = 16;

/** The distinct first 16 bytes of all keys at a block: one prefix per pallet, and short keys whole. */
const loadPrefixes = async ({ rpc }: Node, hash: string): Promise<readonly string[]> => {
  const found: string[] = [];
  let after: string | undefined;
  for (;;) {
    const [key] = await rpc.state_getKeysPaged({ prefix: '0x', count: 1, start_key: after, hash });
    if (key === undefined) return found;
    const prefix = key.slice(0, 2 + palletBytes * 2);
    found.push(prefix);
    // Continue after every key with this prefix.
    after = `${prefix}${'ff'.repeat(palletBytes * 8)}`;
  }
};

const loadPairs = async ({ rpc }: Node, prefix: string, hash: string): Promise<Map<string, string>> =>
  new Map(await rpc.state_getPairs({ prefix, hash }));

/** The pallet and the name of a key, with its entry; null if the metadata describes none. */
export const nameKey = (meta: RuntimeMeta, key: string) => {
  const meaning = explainKey(meta, key);
  switch (meaning.kind) {
    case 'entry': {
      const parts = meaning.keys.map((part) => (part.kind === 'value' ? summaryText(part.value) : part.hash));
      return {
        group: meaning.entry.pallet,
        name: `${meaning.entry.name}${parts.length === 0 ? '' : ` [${parts.join(', ')}]`}`,
        entry: meaning.entry,
      };
    }
    case 'pallet':
      return { group: meaning.pallet, name: key, entry: null };
    case 'known':
      return { group: 'well-known', name: meaning.name, entry: null };
    case 'child':
      return { group: 'child tries', name: meaning.id, entry: null };
    case 'unknown':
      return { group: 'other', name: key, entry: null };
  }
};

const readSide = ({ meta }: ComparedState, key: string, hex: string | null) => {
  const named = nameKey(meta, key);
  const side: DiffSide = { meta, entry: named.entry, ...readStored(meta, named.entry, hex) };
  return { named, side };
};

/**
 * Every key that differs between the states of two blocks, pallet by pallet, each side decoded with its own
 * metadata: an upgrade may lie between them. `onProgress` receives the compared share, 0 to 1. Loads both states completely, so it is only suitable for states that fit into memory.
 */
export const compareStates = async (
  node: Node,
  before: ComparedState,
  after: ComparedState,
  options: { readonly signal: AbortSignal; readonly onProgress: (share: number) => void },
): Promise<readonly KeyDiff[]> => {
  const prefixes = [
    ...new Set([...(await loadPrefixes(node, before.hash)), ...(await loadPrefixes(node, after.hash))]),
  ];
  const found: KeyDiff[] = [];
  for (const [index, prefix] of prefixes.entries()) {
    options.signal.throwIfAborted();
    const old = await loadPairs(node, prefix, before.hash);
    const now = await loadPairs(node, prefix, after.hash);
    for (const key of new Set([...old.keys(), ...now.keys()])) {
      const [from = null, to = null] = [old.get(key), now.get(key)];
      if (from === to) continue;
      const left = readSide(before, key, from);
      const right = readSide(after, key, to);
      // A removed key, or one that only the old runtime describes, is named by that runtime.
      const isOld = to === null || (right.side.entry === null && left.side.entry !== null);
      const { group, name } = (isOld ? left : right).named;
      found.push({ key, group, name, before: left.side, after: right.side });
    }
    options.onProgress((index + 1) / prefixes.length);
  }
  return found;
};
