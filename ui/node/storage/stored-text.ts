import { isAmountEntry, isMomentEntry } from '../../../src/scale/amounts.ts';
import { toHex } from '../../../src/scale/hex.ts';
import type { StorageEntry } from '../../../src/scale/storage.ts';
import type { Decoded, RuntimeMeta } from '../../../src/scale/types.ts';
import { momentText, shortHex } from '../../kit/text/format.ts';
import { accountText } from './account-text.ts';
import type { StoredValue } from './storage-view.svelte.ts';
import { summaryText, type WriteAmount } from './summary.ts';

/** A value of any key in one line; shortened bytes if they cannot be decoded. */
export const valueText = (
  meta: RuntimeMeta,
  entry: StorageEntry | null,
  { decoded, bytes }: StoredValue,
  amount: WriteAmount,
): string =>
  entry === null || decoded === null
    ? shortHex(toHex(bytes), 20, 8)
    : storedText(meta, entry, decoded, amount);

/** A stored value in one line: a time or an amount where its entry holds one, an account by its balance. */
export const storedText = (
  meta: RuntimeMeta,
  entry: StorageEntry,
  value: Decoded,
  amount: WriteAmount,
): string => {
  if (value.kind !== 'number') return accountText(value, amount) ?? summaryText(value);
  if (isMomentEntry(meta, entry)) return momentText(Number(value.value));
  return isAmountEntry(meta, entry) ? amount(BigInt(value.value)) : summaryText(value);
};
