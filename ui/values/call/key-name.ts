import type { KeyMeaning } from '../../../src/scale/storage.ts';
import { shortHex } from '../../kit/text/format.ts';
import { summaryText } from '../../node/storage/summary.ts';

/**
 * A storage key in readable form, `System.Account(Alice)`, or shortened hex if the metadata does not know it.
 */
export const keyName = (meaning: KeyMeaning | null, key: string): string => {
  if (meaning?.kind === 'known') return meaning.name;
  if (meaning?.kind === 'pallet') return meaning.pallet;
  if (meaning?.kind === 'child') return 'root of a child trie';
  if (meaning?.kind !== 'entry') return shortHex(key, 14, 8);
  const keys = meaning.keys.map((one) =>
    one.kind === 'value' ? summaryText(one.value) : shortHex(one.hash),
  );
  return `${meaning.entry.pallet}.${meaning.entry.name}${keys.length > 0 ? `(${keys.join(', ')})` : ''}`;
};
