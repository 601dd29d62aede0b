import type { BlockItem } from '../chain-view.svelte.ts';
import type { Answer, UiNode } from '../client/ui-node.ts';
import type { MetadataOfBlocks } from '../metadata.svelte.ts';
import type { KeyDiff } from './state-diff.ts';

type Write = Answer<'state_traceBlock'>['blockTrace']['events'][number];
type Written = { readonly key: string; readonly after: { readonly hex: string | null } };
type Node = Pick<UiNode, 'rpc'>;

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
export const editedKeys = <D extends Written>(
  diffs: readonly D[],
  writes: readonly Write[],
): readonly D[] => {
  const last = new Map(
    writes.map(({ data: { stringValues: values } }) => [`0x${values['key']}` as string, values] as const),
  );
  return diffs.filter(({ key, after }) => {
    const values = last.get(key);
    if (values === undefined) return true;
    return values['method'] === 'Put' && !isTraced(after.hex, values['value_encoded'] ?? '');
  });
};

/** Those of the changed keys that the block did not write itself, found by executing it again. */
export const loadEdited = async <D extends Written>(
  { rpc }: Node,
  block: string,
  diffs: readonly D[],
): Promise<readonly D[]> => {
  if (diffs.length === 0) return [];
  const storage_keys = diffs.map(({ key }) => key.slice(2)).join(',');
  const { blockTrace } = await rpc.state_traceBlock({
    block,
    targets: 'state',
    storage_keys,
    methods: 'Put,Append',
  });
  return editedKeys(diffs, blockTrace.events);
};

/**
 * Compares an edited state with the parent's, and leaves out what the block itself wrote. Rejects with the
 * node's errors.
 */
export const loadEdit = async (
  { node, metadata }: { readonly node: Node; readonly metadata: Pick<MetadataOfBlocks, 'of'> },
  { hash, header }: BlockItem,
  signal: AbortSignal,
): Promise<readonly KeyDiff[]> => {
  const { compareStates } = await import('./state-diff.ts');
  const options = { signal, onProgress: () => undefined };
  const [before, after] = await Promise.all([metadata.of(header.parentHash), metadata.of(hash, header)]);
  const states = [
    { hash: header.parentHash, meta: before },
    { hash, meta: after },
  ] as const;
  const diffs = await compareStates(node, ...states, options);
  return loadEdited(node, hash, diffs);
};
