import { fieldOf } from '../../../src/scale/names.ts';
import { decodeStored, storageEntry } from '../../../src/scale/storage.ts';
import type { Decoded, RuntimeMeta } from '../../../src/scale/types.ts';

/** An account's data in System.Account. */
type AccountState = { readonly nonce: number; readonly free: bigint | null };

const numberOf = (value: Decoded | null): bigint | null =>
  value?.kind === 'number' ? BigInt(value.value) : null;

/** Decodes a value of System.Account; null if the runtime has no such entry. */
export const readAccountState = (meta: RuntimeMeta, hex: string | null): AccountState | null => {
  const entry = storageEntry(meta, 'System', 'Account');
  const stored = entry === null ? null : decodeStored(meta, entry, hex);
  if (stored === null) return null;
  return {
    nonce: Number(numberOf(fieldOf(stored.value, 'nonce')) ?? 0n),
    free: numberOf(fieldOf(fieldOf(stored.value, 'data'), 'free')),
  };
};
