import type { ChangedItem } from '../../../src/protocol/rehearsal.ts';
import { toHex } from '../../../src/scale/hex.ts';
import { entryPrefix, explainKey } from '../../../src/scale/storage.ts';
import type { RuntimeMeta } from '../../../src/scale/types.ts';
import { bytesToKey, equalBytes } from '../../bytes/bytes.ts';
import type { Chain } from '../../chain/chain.ts';
import { prefixLength } from '../../crypto/storage-keys.ts';
import type { Backend } from '../../state/backend.ts';
import type { Overlay } from '../../state/overlay.ts';
import { nameState } from '../named-state.ts';
import type { StoragePair } from '../storage-names.ts';

/** What every block writes for itself alone. */
const hidden = /* @__PURE__ */ new Set(
  ['Events', 'EventCount', 'EventTopics', 'BlockWeight'].map((item) => entryPrefix('System', item)),
);

/** Values that are decoded for the report. */
const mostNamed = 200;

type Change = {
  readonly key: Uint8Array;
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
};

const isSame = (one: Uint8Array | null, other: Uint8Array | null): boolean =>
  one === null || other === null ? one === other : equalBytes(one, other);

/** What the first overlay changes and the second one, on the same state, does not. */
const differences = async (
  run: Chain['run'],
  state: Backend,
  upgraded: Overlay,
  plain: Overlay,
): Promise<Change[]> => {
  const others = new Map(plain.changes().main.map(([key, value]) => [bytesToKey(key), value]));
  const changed: Change[] = [];
  const keys = upgraded.changes().main;
  const reads = keys.map(
    ([key]) =>
      () =>
        state.get(key),
  );
  const before = await run(
    () => reads.map((read) => read()),
    () => reads,
  );
  for (const [at, [key, after]] of keys.entries()) {
    const old = before[at] as Uint8Array | null;
    const other = others.get(bytesToKey(key));
    const unchanged = other === undefined ? old : other;
    if (!isSame(after, unchanged) && !hidden.has(toHex(key.subarray(0, prefixLength))))
      changed.push({ key, before: old, after });
  }
  return changed;
};

/** Where each pallet has the version of its storage (frame-support, `StorageVersion`). */
const storageVersion = ':__STORAGE_VERSION__:';
const versionDigits = /* @__PURE__ */ entryPrefix('', storageVersion).slice(2 + 32);

type Item = Pick<ChangedItem, 'pallet' | 'item'>;

/** An item of either metadata; else what the first one says of the key. */
const itemOf = (metas: readonly RuntimeMeta[], key: Uint8Array): Item => {
  const hex = toHex(key);
  const meanings = metas.map((meta) => explainKey(meta, hex));
  for (const meaning of meanings)
    if (meaning.kind === 'entry') return { pallet: meaning.entry.pallet, item: meaning.entry.name };
  for (const meaning of meanings) {
    if (meaning.kind === 'pallet')
      return { pallet: meaning.pallet, item: hex.endsWith(versionDigits) ? storageVersion : null };
    if (meaning.kind === 'known') return { pallet: meaning.name, item: null };
  }
  return { pallet: hex.slice(0, 2 + 32), item: null };
};

const countByItem = (metas: readonly RuntimeMeta[], changes: readonly Change[]): ChangedItem[] => {
  const items = new Map<string, { item: Item; counts: [number, number] }>();
  for (const { key, after } of changes) {
    const prefix = bytesToKey(key.subarray(0, prefixLength));
    const known = items.get(prefix) ?? { item: itemOf(metas, key), counts: [0, 0] };
    known.counts[after === null ? 1 : 0] += 1;
    items.set(prefix, known);
  }
  return [...items.values()].map(({ item, counts: [written, removed] }) => ({ ...item, written, removed }));
};

const named = (meta: RuntimeMeta | null, pairs: readonly StoragePair[]): Record<string, unknown> =>
  meta === null
    ? Object.fromEntries(pairs.map(([key, value]) => [toHex(key), value === null ? null : toHex(value)]))
    : nameState(meta, pairs);

/**
 * What an upgrade changes: of the changes of a block's initialization, those that it would not make without the upgrade.
 * `old` and `new` are the metadata before and after; null for one that describes no types.
 */
export const reportChanges = async (
  run: Chain['run'],
  state: Backend,
  { upgraded, plain }: Readonly<Record<'upgraded' | 'plain', { readonly overlay: Overlay }>>,
  metas: { readonly old: RuntimeMeta | null; readonly new: RuntimeMeta | null },
) => {
  const changes = await differences(run, state, upgraded.overlay, plain.overlay);
  const known = [metas.new, metas.old].filter((meta) => meta !== null);
  const first = changes.slice(0, mostNamed);
  return {
    changes: countByItem(known, changes),
    old: named(
      metas.old,
      first.map(({ key, before }) => [key, before]),
    ),
    new: named(
      metas.new,
      first.map(({ key, after }) => [key, after]),
    ),
    omitted: changes.length - first.length,
  };
};
