import { createCursor, DecodeFault, takeEnd, takeLength } from './cursor.ts';
import { decodeAt } from './decode.ts';
import { dispatchErrorText, isDispatchError } from './dispatch-error.ts';
import { fromHex } from './hex.ts';
import { fieldOf, readVariant } from './names.ts';
import { entryPrefix, storageEntry } from './storage.ts';
import type { Decoded, RuntimeMeta } from './types.ts';

/** Key of System.Events, the same on every FRAME chain. */
export const eventsKey = entryPrefix('System', 'Events');

/** One event of a block. */
export type BlockEvent = {
  /** Index of the extrinsic; null for events of block initialization and finalization. */
  readonly extrinsic: number | null;
  readonly phase: string;
  readonly event: Decoded;
};

/** Decodes System.Events; the item limit applies to each record, as a block may have thousands. Throws DecodeFault. */
export const decodeEvents = (meta: RuntimeMeta, value: string | null): readonly BlockEvent[] => {
  const entry = storageEntry(meta, 'System', 'Events');
  if (value === null || entry === null) return [];
  const def = meta.metadata.lookup[entry.value]?.def;
  if (def?.tag !== 'sequence') throw new DecodeFault('System.Events is not a list', 0);
  const cursor = createCursor(fromHex(value));
  const records = Array.from({ length: takeLength(cursor, 1) }, () => decodeAt(meta, def.value, cursor));
  takeEnd(cursor);
  return records.flatMap((record) => {
    const phase = fieldOf(record, 'phase');
    const event = fieldOf(record, 'event');
    if (phase?.kind !== 'variant' || event === null) return [];
    const index = phase.value?.kind === 'number' ? Number(phase.value.value) : null;
    return [{ extrinsic: index, phase: phase.name, event }];
  });
};

/**
 * The outcome of an extrinsic according to its events. One that succeeded while a call nested in it failed (sudo, a
 * proxy, a multisig, a batch) counts as failed: what it was sent for did not happen.
 */
export type DispatchOutcome =
  | { readonly kind: 'ok' }
  | { readonly kind: 'failed'; readonly text: string }
  | { readonly kind: 'unknown' };

/** Why a nested call failed, according to one event; null if it reports no failure. */
const faultOf = (meta: RuntimeMeta, { event }: BlockEvent): string | null => {
  const { name, fields } = readVariant(event) ?? {};
  if (name === 'System.ExtrinsicFailed' || fields?.kind !== 'struct') return null;
  for (const { value } of fields.fields) {
    if (value.kind !== 'variant') continue;
    const error = value.name === 'Err' ? value.value : value;
    if (error !== null && isDispatchError(error)) return `${name}: ${dispatchErrorText(meta, error)}`;
  }
  return null;
};

/** Why nested calls failed (sudo, a proxy, a batch), in the order of the events. */
export const innerFaults = (meta: RuntimeMeta, events: readonly BlockEvent[]): readonly string[] =>
  events.flatMap((event) => faultOf(meta, event) ?? []);

/** The outcome of one extrinsic of a block. */
export const outcomeOf = (
  meta: RuntimeMeta,
  events: readonly BlockEvent[],
  extrinsic: number,
): DispatchOutcome => {
  const own = events.filter(({ extrinsic: index }) => index === extrinsic);
  for (const { event } of own) {
    const found = readVariant(event);
    if (found?.name === 'System.ExtrinsicSuccess') {
      const [inner] = innerFaults(meta, own);
      return inner === undefined ? { kind: 'ok' } : { kind: 'failed', text: inner };
    }
    if (found?.name !== 'System.ExtrinsicFailed') continue;
    // Fields have names from 2021 on; the error is the first.
    const { fields } = found;
    const error = fieldOf(fields, 'dispatch_error') ?? (fields?.kind === 'list' ? fields.items[0] : fields);
    return { kind: 'failed', text: error ? dispatchErrorText(meta, error) : 'failed' };
  }
  return { kind: 'unknown' };
};
