import type { Decoded } from './types.ts';

/** `Balances` as calls, events and errors name it: `balances`. */
export const palletWord = (name: string): string => name.slice(0, 1).toLowerCase() + name.slice(1);

/** `transfer_keep_alive` as `transferKeepAlive`. */
export const camelWord = (name: string): string =>
  name.replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** `balances.transferKeepAlive` of a decoded call; null for what is no call. */
export const callName = (call: Decoded): string | null =>
  call.kind === 'variant' && call.value?.kind === 'variant'
    ? `${palletWord(call.name)}.${camelWord(call.value.name)}`
    : null;

/** `balances.Transfer` of a decoded event. */
export const eventName = (event: Decoded): string | null =>
  event.kind === 'variant' && event.value?.kind === 'variant'
    ? `${palletWord(event.name)}.${event.value.name}`
    : null;

/** A field of a struct, or of the struct inside a variant. */
export const fieldOf = (value: Decoded | null | undefined, label: string): Decoded | null => {
  if (value?.kind === 'struct') return value.fields.find((field) => field.label === label)?.value ?? null;
  if (value?.kind === 'variant') return fieldOf(value.value, label);
  return null;
};
