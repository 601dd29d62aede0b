import { fieldOf } from '../meta/names.ts';
import type { Decoded } from '../meta/types.ts';
import { groupDigits } from '../state/format.ts';
import type { WriteAmount } from './summary.ts';

/**
 * A value of System.Account in a row: free balance, what else it holds of it, and its nonce. Null for any other value.
 * The counts of references, which are the same in nearly every row, are left to the page of the value.
 */
export const accountText = (value: Decoded, amount: WriteAmount): string | null => {
  const data = fieldOf(value, 'data');
  const nonce = fieldOf(value, 'nonce');
  if (nonce?.kind !== 'number' || data?.kind !== 'struct') return null;
  // Accounts of pallet-balances: those of others may be in any unit.
  if (
    !/^AccountInfo\b/.test(value.type) ||
    !/^AccountData\b/.test(data.type) ||
    fieldOf(data, 'flags') === null
  )
    return null;
  const amounts = data.fields.flatMap(({ label, value: of }) =>
    label !== 'flags' && of.kind === 'number' ? [{ label, held: BigInt(of.value) }] : [],
  );
  if (!amounts.some(({ label }) => label === 'free')) return null;
  const held = amounts
    .filter(({ label, held }) => label === 'free' || held !== 0n)
    .map(({ label, held }) => (label === 'free' ? amount(held) : `${label} ${amount(held)}`));
  return [...held, `nonce ${groupDigits(nonce.value)}`].join(' · ');
};
