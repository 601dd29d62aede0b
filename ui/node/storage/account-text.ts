import { fieldOf } from '../../../src/scale/names.ts';
import type { Decoded } from '../../../src/scale/types.ts';
import { groupDigits } from '../../kit/text/format.ts';
import type { WriteAmount } from './summary.ts';

/**
 * A value of System.Account in one line: free balance, its other nonzero amounts, and the nonce. Null for any
 * other value. Reference counts are left out, because they are the same for nearly every account; the value's
 * page shows them.
 */
export const accountText = (value: Decoded, amount: WriteAmount): string | null => {
  const data = fieldOf(value, 'data');
  const nonce = fieldOf(value, 'nonce');
  if (nonce?.kind !== 'number' || data?.kind !== 'struct') return null;
  // Only account data of pallet-balances; that of other pallets may be in any unit.
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
