import type { Json } from '../../meta/types.ts';
import { isBoolean, isShape, isText, orNull } from '../../page/guards.ts';
import { readKeptList, writeKeptList } from '../../page/kept.ts';

/** A call that the URL cannot hold, because it is incomplete or too long. */
type KeptCall = {
  readonly pallet: string;
  readonly call: string;
  readonly args: Json;
  readonly touched: boolean;
  /** Incomplete JSON, as typed. */
  readonly broken: string | null;
};

const isKeptCall = isShape<KeptCall & { readonly id: string }>({
  id: isText,
  pallet: isText,
  call: isText,
  args: (value): value is Json => value !== undefined,
  touched: isBoolean,
  broken: orNull(isText),
});

/** Maximum characters of such a call; a longer one is not kept. */
const maxKept = 200_000;

/** The call kept under a key of this window's storage; null if there is none. */
export const readKeptCall = (key: string): KeptCall | null => {
  const [kept] = readKeptList(sessionStorage, key, isKeptCall) ?? [];
  if (kept === undefined) return null;
  const { id: _, ...call } = kept;
  return call;
};

/** Keeps the call for a reload; null drops the one that was kept. */
export const writeKeptCall = (key: string, call: KeptCall | null): void =>
  writeKeptList(sessionStorage, key, call === null ? [] : [{ id: '', ...call }], maxKept);
