import { fieldOf } from './names.ts';
import { sharedErrors } from './shared-errors.ts';
import type { Decoded, LookupEntry, RuntimeMeta } from './types.ts';

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
  const found = Object.entries(lookup.value).find(([, fields]) => fields.idx === errorIndex);
  if (!found) return null;
  const docs = (lookup.innerDocs[found[0]] ?? []).join(' ').trim();
  return { name: `${pallet.name}.${found[0]}`, docs };
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
