import { isAmountEntry, isMomentEntry } from '../../meta/amounts.ts';
import type { StorageEntry } from '../../meta/storage.ts';
import type { Decoded, RuntimeMeta } from '../../meta/types.ts';
import { momentText } from '../../text/format.ts';
import { accountText } from './account-text.ts';
import { summaryText, type WriteAmount } from './summary.ts';

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
