import { type Cursor, createCursor, DecodeFault } from './cursor.ts';
import { decodeAt, decodeValue } from './decode.ts';
import { dispatchErrorText } from './dispatch-error.ts';
import { type BlockEvent, type DispatchOutcome, decodeEvents, eventsKey, innerFault } from './events.ts';
import { fromHex } from './hex.ts';
import { eventName } from './names.ts';
import type { Decoded, RuntimeMeta } from './types.ts';
import { takeValidityError } from './validity.ts';

/** What a dry run shows: an ApplyExtrinsicResult, and the storage that changed where the node tells it. */
export type DryRun = {
  /** As 0x text. */
  readonly outcome: string;
  /** Keys with what they hold afterwards; null where the node does not tell. */
  readonly changes: readonly (readonly [key: string, value: string | null])[] | null;
};

const dispatchErrorType = (meta: RuntimeMeta): number | undefined =>
  meta.metadata.lookup.find(({ path }) => path.at(-1) === 'DispatchError' && path[0] === 'sp_runtime')?.id;

/** What an ApplyExtrinsicResult (the answer of system_dryRun) says of the outer call. */
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

/** Err(Invalid(ExhaustsResources)): the block on which it was tried has no room left. */
export const isOutOfRoom = ({ outcome }: DryRun): boolean => outcome === '0x010006';

const endsExtrinsic = ({ event }: BlockEvent): boolean =>
  /^System\.Extrinsic(Success|Failed)$/.test(eventName(event) ?? '');

/** The events of the extrinsic that was tried: it is the last one, and each ends with its success or failure. */
const lastEvents = (events: readonly BlockEvent[]): readonly BlockEvent[] => {
  const end = events.findLastIndex(endsExtrinsic);
  return events.slice(events.slice(0, end).findLastIndex(endsExtrinsic) + 1, end + 1);
};

const readEvents = (meta: RuntimeMeta, { changes }: DryRun): readonly BlockEvent[] => {
  const stored = changes?.find(([key]) => key === eventsKey)?.[1] ?? null;
  try {
    return lastEvents(decodeEvents(meta, stored));
  } catch (fault) {
    // Events that cannot be read tell nothing; the outer call's outcome is known all the same.
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

/** The pallet of a call that carries others, as those of sudo, utility, proxy and multisig do; null for any other call. */
const carrierOf = (meta: RuntimeMeta, call: Uint8Array): string | null => {
  if (meta.callType === null) return null;
  const whole = decodeValue(meta, meta.callType, call);
  const ofPallet = whole.kind === 'variant' ? whole.value : null;
  const args = ofPallet?.kind === 'variant' ? ofPallet.value : null;
  return whole.kind === 'variant' && args !== null && hasCall(args, whole.type) ? whole.name : null;
};

/** Whether a call carries others: it may succeed though they fail. */
export const carriesCalls = (meta: RuntimeMeta, call: Uint8Array): boolean => carrierOf(meta, call) !== null;

/** What a dry run says of a call and of those inside it; `unknown` where its events do not tell of these. */
export const dryRunOutcome = (meta: RuntimeMeta, call: Uint8Array, run: DryRun): DispatchOutcome => {
  const outer = dryRunText(meta, run.outcome);
  const carrier = carrierOf(meta, call);
  if (outer.kind !== 'ok' || carrier === null) return outer;
  const events = readEvents(meta, run);
  const fault = events.map((event) => innerFault(meta, event)).find((text) => text !== null);
  if (fault !== undefined) return { kind: 'failed', text: fault };
  // Without a word of its pallet nothing says that these are the events of this call.
  return events.some(({ event }) => event.kind === 'variant' && event.name === carrier)
    ? outer
    : { kind: 'unknown' };
};
