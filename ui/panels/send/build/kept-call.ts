import { writeJson } from '../../../../src/protocol/json.ts';
import type { Json } from '../../../../src/scale/types.ts';
import { isShape, isText, orNull } from '../../../kit/page/guards.ts';
import { readKeptList, writeKeptList } from '../../../kit/page/kept.ts';

/** A call that the URL cannot hold, because it is incomplete or too long. */
type KeptCall = {
  readonly id: string;
  readonly pallet: string;
  readonly call: string;
  readonly args: Json;
  readonly touched: boolean;
  /** Incomplete JSON, as typed. */
  readonly broken: string | null;
  /** Whether the arguments were too large to keep. */
  readonly isLost?: boolean;
};

/** The arguments are not checked here; encoding them shows whether they are valid. */
const isKeptCall = isShape<KeptCall>({ id: isText, pallet: isText, call: isText, broken: orNull(isText) });

/** Maximum characters of such a call: the window waits 100 ms while a megabyte is written. */
const maxKept = 200_000;

/** The call kept under a key of this window's storage; undefined if there is none. */
export const readKeptCall = (key: string): KeptCall | undefined =>
  readKeptList(sessionStorage, key, isKeptCall)?.[0];

/**
 * Keeps the call for a reload; null drops the one that was kept. Of a call that is too large, only the name is kept,
 * and the answer is false.
 */
export const writeKeptCall = (key: string, call: Omit<KeptCall, 'id'> | null): boolean => {
  const fits = call === null || writeJson(call).length <= maxKept;
  const kept = fits ? call : { ...call, args: null, broken: null, isLost: true };
  writeKeptList(sessionStorage, key, kept === null ? [] : [{ id: '', ...kept }], maxKept);
  return fits;
};
