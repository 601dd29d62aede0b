import { findCall } from '../../src/scale/calls.ts';
import type { Json, RuntimeMeta } from '../../src/scale/types.ts';
import { openContext } from './open-page.ts';

/** A context over a node that only answers with a unit of 12 decimals. */
export const openUnit = () =>
  openContext((method) =>
    method === 'system_properties'
      ? { tokenDecimals: 12, tokenSymbol: 'UNIT' }
      : new Promise(() => undefined),
  ).context;

/** Props with a value that the component updates through `onchange`, as in a form. */
export const following = (value: Json, others: object) => {
  let now = $state.raw(value);
  const changes: unknown[] = [];
  const props = {
    ...others,
    get value() {
      return now;
    },
    onchange: (next: Json) => {
      changes.push(next);
      now = next;
    },
  };
  return { changes, props: props as never };
};

/** The type of the arguments of a call. */
export const argsOf = (meta: RuntimeMeta, pallet: string, name: string) => {
  const entry = findCall(meta, pallet, name)?.args ?? null;
  if (entry === null) throw new Error(`no arguments of ${pallet}.${name}`);
  return entry;
};
