import { type Cursor, createCursor, DecodeFault } from './cursor.ts';
import { decodeAt, decodeValue } from './decode.ts';
import { dispatchErrorText } from './dispatch-error.ts';
import { type BlockEvent, type DispatchOutcome, decodeEvents, eventsKey, innerFaults } from './events.ts';
import { fromHex } from './hex.ts';
import { eventName, readVariant } from './names.ts';
import type { Decoded, RuntimeMeta } from './types.ts';
import { takeValidityError } from './validity.ts';

/** Result of a dry run: an ApplyExtrinsicResult, and the storage changes if the node reports them. */
export type DryRun = {
  /** The ApplyExtrinsicResult as a 0x string. */
  readonly outcome: string;
  /** Changed keys with their new values; null if the node does not report them. */
  readonly changes: readonly (readonly [key: string, value: string | null])[] | null;
};

const dispatchErrorType = (meta: RuntimeMeta): number | undefined =>
  meta.metadata.lookup.find(({ path }) => path.at(-1) === 'DispatchError' && path[0] === 'sp_runtime')?.id;

/** The outcome of the outer call according to an ApplyExtrinsicResult (as returned by system_dryRun). */
export const dryRunText = (meta: RuntimeMeta, hex: string): DispatchOutcome => {
  const cursor: Cursor = createCursor(fromHex(hex));
  const [outer = 1, inner = 1] = [...cursor.bytes.subarray(0, 2)];
  if (outer === 0 && inner === 0) return { kind: 'ok' };
  const type = dispatchErrorType(meta);
  if (outer === 0 && type !== undefined) {
    cursor.at = 2;
    return { kind: 'failed', text: dispatchErrorText(meta, decodeAt(meta, type, cursor)) };
  }
  if (outer === 1) {
    cursor.at = 1;
    return { kind: 'failed', text: `not valid: ${takeValidityError(cursor)}` };
  }
  return { kind: 'failed', text: `not valid (${hex})` };
};

/** Err(Invalid(ExhaustsResources)): the block used for the dry run is full. */
export const isOutOfRoom = ({ outcome }: DryRun): boolean => outcome === '0x010006';

const endsExtrinsic = ({ event }: BlockEvent): boolean =>
  /^System\.Extrinsic(Success|Failed)$/.test(eventName(event) ?? '');

/** The events of the dry-run extrinsic, the block's last; a success or failure event ends each extrinsic. */
const lastEvents = (events: readonly BlockEvent[]): readonly BlockEvent[] => {
  const end = events.findLastIndex(endsExtrinsic);
  return events.slice(events.slice(0, end).findLastIndex(endsExtrinsic) + 1, end + 1);
};

/** The events of the extrinsic; empty if the node does not report them, or they cannot be decoded. */
export const dryRunEvents = (meta: RuntimeMeta, { changes }: DryRun): readonly BlockEvent[] => {
  const stored = changes?.find(([key]) => key === eventsKey)?.[1] ?? null;
  try {
    return lastEvents(decodeEvents(meta, stored));
  } catch (fault) {
    // Without readable events, the outcome of the outer call is still known.
    if (fault instanceof DecodeFault) return [];
    throw fault;
  }
};

const hasCall = (value: Decoded, type: string): boolean => {
  switch (value.kind) {
    case 'variant':
      return value.type === type || (value.value !== null && hasCall(value.value, type));
    case 'some':
      return hasCall(value.value, type);
    case 'struct':
      return value.fields.some((field) => hasCall(field.value, type));
    case 'list':
      return value.items.some((item) => hasCall(item, type));
    default:
      return false;
  }
};

/** The pallet of a call that contains other calls, such as sudo or a batch; null for any other call. */
const carrierOf = (meta: RuntimeMeta, call: Uint8Array): string | null => {
  if (meta.callType === null) return null;
  const outer = decodeValue(meta, meta.callType, call);
  const args = readVariant(outer)?.fields;
  return outer.kind === 'variant' && args && hasCall(args, outer.type) ? outer.name : null;
};

/** Whether a call contains other calls: it may succeed although they fail. */
export const carriesCalls = (meta: RuntimeMeta, call: Uint8Array): boolean => carrierOf(meta, call) !== null;

/** The outcome of a call and of those nested in it; `unknown` if the events do not cover the nested calls. */
export const dryRunOutcome = (meta: RuntimeMeta, call: Uint8Array, run: DryRun): DispatchOutcome => {
  const outer = dryRunText(meta, run.outcome);
  const carrier = carrierOf(meta, call);
  if (outer.kind !== 'ok' || carrier === null) return outer;
  const events = dryRunEvents(meta, run);
  const [fault] = innerFaults(meta, events);
  if (fault !== undefined) return { kind: 'failed', text: fault };
  // Without an event of the outer call's pallet, these events may belong to another extrinsic.
  return events.some(({ event }) => event.kind === 'variant' && event.name === carrier)
    ? outer
    : { kind: 'unknown' };
};
