import { dispatchErrorText } from '../../../src/scale/dispatch-error.ts';
import { type BlockEvent, innerFaults } from '../../../src/scale/events.ts';
import { decodedToJson } from '../../../src/scale/json.ts';
import { fieldOf, readVariant } from '../../../src/scale/names.ts';
import type { Decoded, RuntimeMeta } from '../../../src/scale/types.ts';
import { cutLong } from './tool.ts';

/** The meaning of a DispatchError. */
export type Explained = {
  /** The pallet that failed; null for an error shared by all pallets. */
  readonly pallet: string | null;
  readonly name: string;
  readonly docs: string;
};

/** A decoded DispatchError, with names and docs from the metadata. */
export const explainError = (meta: RuntimeMeta, error: Decoded): Explained => {
  const text = dispatchErrorText(meta, error);
  const [, path = text, docs = ''] = /^([\w.]+): (.*)$/s.exec(text) ?? [];
  const [first = '', own] = path.split('.');
  const pallet = meta.metadata.pallets.find(({ name }) => name.toLowerCase() === first.toLowerCase());
  const isModule = error.kind === 'variant' && error.name === 'Module';
  return isModule && pallet !== undefined && own !== undefined
    ? { pallet: pallet.name, name: own, docs }
    : { pallet: null, name: path, docs };
};

export type Outcome =
  | { readonly kind: 'ok'; readonly innerFailures?: readonly string[] }
  | { readonly kind: 'failed'; readonly error: Explained }
  | { readonly kind: 'unknown' };

/** The outcome of an extrinsic by its own events. Calls nested in a successful one may have failed. */
export const outcomeOf = (meta: RuntimeMeta, events: readonly BlockEvent[]): Outcome => {
  const end = events
    .map(({ event }) => readVariant(event))
    .find((found) => /^System\.Extrinsic(Success|Failed)$/.test(found?.name ?? ''));
  if (end == null) return { kind: 'unknown' };
  if (end.name === 'System.ExtrinsicSuccess') {
    const faults = innerFaults(meta, events);
    return faults.length === 0 ? { kind: 'ok' } : { kind: 'ok', innerFailures: faults };
  }
  const error = fieldOf(end.fields, 'dispatch_error') ?? end.fields;
  return error === null ? { kind: 'unknown' } : { kind: 'failed', error: explainError(meta, error) };
};

/** `Balances.Transfer` and its fields. */
export const eventJson = ({ event }: BlockEvent): unknown => {
  const found = readVariant(event);
  if (found === null) return cutLong(decodedToJson(event));
  const { name, fields } = found;
  return { event: name, ...(fields === null ? {} : { fields: cutLong(decodedToJson(fields)) }) };
};
