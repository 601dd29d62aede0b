import { NodeError } from '../../src/protocol/errors.ts';
import { bytesToHex } from '../bytes/hex.ts';
import type { StoreName } from './stores.ts';

/** Maximum number of bytes of a key that are shown. */
const shownBytes = 40;

const shortHex = (key: Uint8Array): string =>
  key.length <= shownBytes ? bytesToHex(key) : `${bytesToHex(key.subarray(0, shownBytes))}…`;

/** The error for a damaged record. Its message says what the user can do. */
export const damageError = (
  what: string,
  details: Record<string, unknown> = {},
  cause?: unknown,
): NodeError =>
  new NodeError(
    'StorageBroken',
    `The database is damaged: ${what}. Nothing was changed. Repair it (in the page's list of chains, or by tabnode repair), restore the chain from a copy or an export, or delete it and start again.`,
    { details, cause },
  );

/** Damage of one record; `why` completes "the record … ". */
export const recordDamage = (store: StoreName, key: Uint8Array, why: string): NodeError =>
  damageError(`the record ${shortHex(key)} of the store "${store}" ${why}`, { store, key: bytesToHex(key) });
