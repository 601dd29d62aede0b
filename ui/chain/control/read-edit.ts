import type { Answer, UiNode } from '../../client/ui-node.ts';
import type { RuntimeMeta } from '../../meta/types.ts';
import type { BlockItem } from '../../state/chain-view.svelte.ts';
import type { KeyDiff } from '../../state/storage/state-diff.ts';

type Write = Answer<'state_traceBlock'>['blockTrace']['events'][number];

/** Whether the trace contains this value (0x text). It shortens long values to their first and last bytes. */
const isTraced = (value: string | null, encoded: string): boolean => {
  const now = value === null ? '00' : `01${value.slice(2)}`;
  const [start = '', end] = encoded.split('...');
  return end === undefined ? now === start : now.startsWith(start) && now.endsWith(end);
};

/**
 * The keys that differ from the parent's state and whose value was not written by the block's execution. A
 * value that the block appended to counts as written by it; a cleared prefix is not traced, so it counts as
 * edited.
 */
export const editedKeys = (diffs: readonly KeyDiff[], writes: readonly Write[]): readonly KeyDiff[] => {
  const last = new Map(
    writes.map(({ data: { stringValues: values } }) => [`0x${values['key']}` as string, values] as const),
  );
  return diffs.filter(({ key, after }) => {
    const values = last.get(key);
    if (values === undefined) return true;
    return values['method'] === 'Put' && !isTraced(after.hex, values['value_encoded'] ?? '');
  });
};

/**
 * Compares an edited state with the parent's, and leaves out what the block itself wrote, found by executing
 * it again. Rejects with the node's errors.
 */
export const loadEdit = async (
  node: Pick<UiNode, 'rpc'>,
  meta: RuntimeMeta,
  { hash, header }: BlockItem,
  signal: AbortSignal,
): Promise<readonly KeyDiff[]> => {
  const { compareStates } = await import('../../state/storage/state-diff.ts');
  const options = { signal, onProgress: () => undefined };
  const diffs = await compareStates(node, meta, header.parentHash, hash, options);
  if (diffs.length === 0) return [];
  const { blockTrace } = await node.rpc.state_traceBlock({
    block: hash,
    targets: 'state',
    storage_keys: diffs.map(({ key }) => key.slice(2)).join(','),
    methods: 'Put,Append',
  });
  return editedKeys(diffs, blockTrace.events);
};
