import { fieldOf } from './names.ts';
import type { Decoded, LookupEntry, RuntimeMeta } from './types.ts';

/**
 * Texts of the errors that all pallets share, from sp_runtime (DispatchError, TokenError, TransactionalError)
 * and sp_arithmetic (ArithmeticError), because the metadata has no docs for them.
 * Names that say all are left out.
 */
const sharedErrors: Readonly<Record<string, string>> = {
  Exhausted: 'Resources exhausted',
  Corruption: 'State corrupt',
  Unavailable: 'Resource unavailable',
  'Token.FundsUnavailable': 'Funds are unavailable',
  'Token.OnlyProvider': 'Account that must exist would die',
  'Token.BelowMinimum': 'Account cannot exist with the funds that would be given',
  'Token.CannotCreate': 'Account cannot be created',
  'Token.UnknownAsset': 'The asset in question is unknown',
  'Token.Frozen': 'Funds exist but are frozen',
  'Token.Unsupported': 'Operation is not supported by the asset',
  'Token.CannotCreateHold': 'Account cannot be created for recording amount on hold',
  'Token.NotExpendable': 'Account that is desired to remain would die',
  'Token.Blocked': 'Account cannot receive the assets',
  'Arithmetic.Underflow': 'An underflow would occur',
  'Arithmetic.Overflow': 'An overflow would occur',
  'Transactional.LimitReached': 'Too many transactional layers have been spawned',
  'Transactional.NoLayer': 'A transactional layer was expected, but does not exist',
};

/** The name of sp_runtime's type in the metadata. */
const errorType = 'DispatchError';

/** Whether a decoded value is a DispatchError. */
export const isDispatchError = (value: Decoded): boolean =>
  value.kind === 'variant' && value.type === errorType;

const errorVariant = (
  meta: RuntimeMeta | null,
  palletIndex: number,
  errorIndex: number,
): { readonly name: string; readonly docs: string } | null => {
  const pallet = meta?.palletAt(palletIndex);
  const lookup: LookupEntry | undefined = pallet?.errors && meta?.lookup(pallet.errors.type);
  if (!pallet || lookup?.type !== 'enum') return null;
  const found = Object.entries(lookup.value).find(([, { idx }]) => idx === errorIndex);
  if (!found) return null;
  const [name, { docs }] = found;
  return { name: `${pallet.name}.${name}`, docs: docs.join(' ').trim() };
};

/** `Balances.FundsUnavailable: docs`. Without `meta`, errors older than the four-byte ModuleError stay numbers. */
export const dispatchErrorText = (meta: RuntimeMeta | null, error: Decoded): string => {
  if (error.kind !== 'variant') return 'an unknown error';
  const inner = error.value;
  // A module error that the decoder resolved already is a nested variant: pallet, then error.
  if (error.name === 'Module' && inner?.kind === 'variant' && inner.value?.kind === 'variant') {
    const { name, docs } = inner.value;
    const words = docs.replace(/\s+/g, ' ');
    return `${inner.name}.${name}${words === '' ? '' : `: ${words}`}`;
  }
  if (error.name === 'Module') {
    const index = fieldOf(inner, 'index');
    const code = fieldOf(inner, 'error');
    const at = index?.kind === 'number' ? Number(index.value) : -1;
    const of =
      code?.kind === 'bytes' ? (code.value[0] ?? 0) : code?.kind === 'number' ? Number(code.value) : -1;
    const found = errorVariant(meta, at, of);
    if (found) return found.docs === '' ? found.name : `${found.name}: ${found.docs}`;
    return `module ${at}, error ${of}`;
  }
  const name = inner?.kind === 'variant' ? `${error.name}.${inner.name}` : error.name;
  const words = sharedErrors[name];
  return words === undefined ? name : `${name}: ${words}`;
};
