import type { RuntimeMeta } from './types.ts';

/**
 * Pallets of the SDK that write the amounts of their calls and events as `BalanceOf<T>`, the balance of the currency
 * they are set to: the chain's own. Others may mean an asset, whose unit is not the chain's.
 */
const ofChain =
  /^pallet_(staking(_async)?|nomination_pools|treasury|bounties|child_bounties|tips|society|democracy|conviction_voting|vesting|identity|contracts|revive|proxy|multisig|transaction_payment)$/;

/** `BalanceOf<T>`, also `Option<BalanceOf<T>>` and the compact form inside of an option, which names itself so. */
const balanceOf = /^(Option<)?<?BalanceOf<T(, I)?>( as codec::HasCompact>::Type)?>?$/;

/** Whether Balances is pallet-balances, and so of the chain's own currency; a second instance has another name. */
const balancesOf = ({ metadata, pallet }: Pick<RuntimeMeta, 'metadata' | 'pallet'>) => {
  const balances = pallet('Balances');
  const [crate] = metadata.lookup[balances?.calls?.type ?? -1]?.path ?? [];
  return crate === 'pallet_balances' ? balances : null;
};

/** Whether what is stored there is itself an amount in the chain's unit for sure: what Balances has issued. */
export const isAmountEntry = (
  meta: Pick<RuntimeMeta, 'metadata' | 'pallet'>,
  { pallet, name }: { readonly pallet: string; readonly name: string },
): boolean => pallet === 'Balances' && /^(Total|Inactive)Issuance$/.test(name) && balancesOf(meta) !== null;

/**
 * Fields of a variant, of the type of a pallet's calls or of its events, that are amounts in the chain's unit for sure,
 * by name; none for a variant of any other type.
 */
export const amountFields = (
  meta: Pick<RuntimeMeta, 'metadata' | 'pallet'>,
  type: number,
  name: string,
): readonly string[] => {
  const { path, def } = meta.metadata.lookup[type] ?? {};
  const [crate = ''] = path ?? [];
  const what = path?.at(-1);
  if (def?.tag !== 'variant' || (what !== 'Call' && what !== 'Event')) return [];
  const balances = balancesOf(meta);
  const isOwn =
    // A second instance of pallet-balances holds another currency.
    crate === 'pallet_balances' && (what === 'Call' ? balances?.calls : balances?.events)?.type === type
      ? /^T::Balance$/
      : ofChain.test(crate)
        ? balanceOf
        : null;
  const variant = def.value.find((one) => one.name === name);
  return isOwn === null
    ? []
    : (variant?.fields ?? []).flatMap((field) =>
        field.name !== undefined && isOwn.test(field.typeName ?? '') ? [field.name] : [],
      );
};

/** Fields of a variant that pallet-timestamp means as moments, in milliseconds since 1970, by name. */
export const momentFields = (
  { metadata }: Pick<RuntimeMeta, 'metadata'>,
  type: number,
  name: string,
): readonly string[] => {
  const { path, def } = metadata.lookup[type] ?? {};
  if (path?.[0] !== 'pallet_timestamp' || def?.tag !== 'variant') return [];
  const fields = def.value.find((one) => one.name === name)?.fields ?? [];
  return fields.flatMap((field) => (field.typeName === 'T::Moment' && field.name ? [field.name] : []));
};

/** Amounts of the balances that System.Account keeps with pallet-balances: others that keep accounts have no flags. */
export const accountAmounts = (
  { metadata }: Pick<RuntimeMeta, 'metadata'>,
  outer: number,
  inner: number,
): readonly string[] => {
  const nameOf = (type: number) => metadata.lookup[type]?.path.join('::');
  const { def } = metadata.lookup[inner] ?? {};
  if (
    nameOf(outer) !== 'frame_system::AccountInfo' ||
    nameOf(inner) !== 'pallet_balances::types::AccountData'
  )
    return [];
  const names = def?.tag === 'composite' ? def.value.map(({ name }) => name) : [];
  return names.includes('flags')
    ? names.flatMap((name) => (name === undefined || name === 'flags' ? [] : [name]))
    : [];
};
