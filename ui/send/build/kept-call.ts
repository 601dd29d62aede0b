import type { Json } from '../../meta/types.ts';
import { isShape, isText, orNull } from '../../page/guards.ts';
import { readKeptList, writeKeptList } from '../../page/kept.ts';

/** A call that the URL cannot hold, because it is incomplete or too long. */
type KeptCall = {
  readonly id: string;
  readonly pallet: string;
  readonly call: string;
  readonly args: Json;
  readonly touched: boolean;
  /** Incomplete JSON, as typed. */
  readonly broken: string | null;
};

/** The arguments are not checked here; encoding them shows whether they are valid. */
const isKeptCall = isShape<KeptCall>({ id: isText, pallet: isText, call: isText, broken: orNull(isText) });

/** Maximum characters of such a call; a longer one is not kept. */
const maxKept = 200_000;

/** The call kept under a key of this window's storage; undefined if there is none. */
export const readKeptCall = (key: string): KeptCall | undefined =>
  readKeptList(sessionStorage, key, isKeptCall)?.[0];

/** Keeps the call for a reload; null drops the one that was kept. */
export const writeKeptCall = (key: string, call: Omit<KeptCall, 'id'> | null): void =>
  writeKeptList(sessionStorage, key, call === null ? [] : [{ id: '', ...call }], maxKept);
