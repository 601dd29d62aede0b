import { DecodeFault } from '../../../src/scale/cursor.ts';
import { decodeEvents, eventsKey } from '../../../src/scale/events.ts';
import { toHex } from '../../../src/scale/hex.ts';
import { eventName } from '../../../src/scale/names.ts';
import { entryPrefix, storageEntries } from '../../../src/scale/storage.ts';
import type { RuntimeMeta } from '../../../src/scale/types.ts';
import { hexToBytes } from '../../bytes/hex.ts';
import type { Backend } from '../../state/backend.ts';

/** The name that the SDK's runtimes give to pallet-migrations. */
const usualName = 'MultiBlockMigrations';

/** Where a runtime keeps how far its multi-block migrations have come (pallet-migrations, `Cursor`). */
export type CursorItem = { readonly pallet: string; readonly key: Uint8Array };

/** The pallets that have the storage items of pallet-migrations. Without metadata: by the usual name. */
export const cursorItems = (meta: RuntimeMeta | null): readonly CursorItem[] => {
  const names = (meta?.metadata.pallets ?? []).flatMap(({ name }) => {
    const items = storageEntries(meta as RuntimeMeta, name);
    const has = (item: string): string | undefined => items.find((one) => one.name === item)?.prefix;
    const key = has('Cursor');
    return key === undefined || has('Historic') === undefined ? [] : [{ pallet: name, key: hexToBytes(key) }];
  });
  return names.length > 0
    ? names
    : [{ pallet: usualName, key: hexToBytes(entryPrefix(usualName, 'Cursor')) }];
};

/** `active`: there is a step left; `stuck`: one has failed, and the chain only takes inherents until it is mended. */
export type MigrationState = {
  readonly kind: 'none' | 'active' | 'stuck';
  readonly pallet: string | null;
  /** The index of the migration that runs; null unless it is active. */
  readonly migration: number | null;
};

/** `MigrationCursor`: Active with its index (u32) first, or Stuck. */
export const migrationState = (items: readonly CursorItem[], state: Pick<Backend, 'get'>): MigrationState => {
  for (const { pallet, key } of items) {
    const value = state.get(key);
    if (value === null) continue;
    if (value[0] === 1) return { kind: 'stuck', pallet, migration: null };
    const view = new DataView(value.buffer, value.byteOffset, value.length);
    return { kind: 'active', pallet, migration: value.length < 5 ? null : view.getUint32(1, true) };
  }
  return { kind: 'none', pallet: null, migration: null };
};

const failures = ['UpgradeFailed', 'MigrationFailed'];

/** The events of a block that report a failed multi-block migration, which may have been given up without being stuck. */
export const failedMigrations = (
  meta: RuntimeMeta | null,
  items: readonly CursorItem[],
  state: Pick<Backend, 'get'>,
): readonly string[] => {
  const value = meta === null ? null : state.get(hexToBytes(eventsKey));
  if (meta === null || value === null) return [];
  try {
    return decodeEvents(meta, toHex(value)).flatMap(({ event }) => {
      const name = eventName(event) ?? '';
      const isFailure = items.some(({ pallet }) => failures.some((one) => name === `${pallet}.${one}`));
      return isFailure ? [name] : [];
    });
  } catch (fault) {
    if (fault instanceof DecodeFault) return [];
    throw fault;
  }
};
