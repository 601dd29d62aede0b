import type { RuntimeMeta } from './types.ts';

type Meta = Pick<RuntimeMeta, 'metadata' | 'pallet'>;

/**
 * SDK pallets that declare the amounts of their calls and events as `BalanceOf<T>`, the balance of their
 * configured currency, which is the chain's own. In other pallets the amount may be of an asset with a
 * different unit.
 */
const ofChain =
  /^pallet_(staking(_async)?|nomination_pools|treasury|bounties|child_bounties|tips|society|democracy|conviction_voting|vesting|identity|contracts|revive|proxy|multisig|transaction_payment)$/;

/** `BalanceOf<T>`, `Option<BalanceOf<T>>`, and the type name of a compact balance inside an option. */
const balanceOf = /^(Option<)?<?BalanceOf<T(, I)?>( as codec::HasCompact>::Type)?>?$/;

/** The Balances pallet if it is pallet-balances, whose first instance holds the chain's own currency. */
const balancesOf = ({ metadata, pallet }: Meta) => {
  const balances = pallet('Balances');
  const [crate] = metadata.lookup[balances?.calls?.type ?? -1]?.path ?? [];
  return crate === 'pallet_balances' ? balances : null;
};

/** Whether the entry's value is certainly an amount in the chain's unit: only the issuance of Balances is. */
export const isAmountEntry = (
  meta: Meta,
  { pallet, name }: { readonly pallet: string; readonly name: string },
): boolean => pallet === 'Balances' && /^(Total|Inactive)Issuance$/.test(name) && balancesOf(meta) !== null;

/** The fields of a call or event variant that are certainly amounts in the chain's unit. */
export const amountFields = (meta: Meta, type: number, name: string): readonly string[] => {
  const { path, def } = meta.metadata.lookup[type] ?? {};
  const [crate = ''] = path ?? [];
  const what = path?.at(-1);
  if (def?.tag !== 'variant' || (what !== 'Call' && what !== 'Event')) return [];
  const balances = balancesOf(meta);
  // Metadata before V14 has the type names without `T::`.
  const isOwn =
    // A second instance of pallet-balances holds a different currency.
    crate === 'pallet_balances' && (what === 'Call' ? balances?.calls : balances?.events)?.type === type
      ? /^(T::Balance|Balance|Compact<Balance>)$/
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

/** Whether the entry's value is a moment (milliseconds since 1970): the time of pallet-timestamp. */
export const isMomentEntry = (
  { metadata, pallet: find }: Meta,
  { pallet, name }: { readonly pallet: string; readonly name: string },
): boolean =>
  name === 'Now' && metadata.lookup[find(pallet)?.calls?.type ?? -1]?.path[0] === 'pallet_timestamp';

/** Names of the fields of a variant that pallet-timestamp declares as moments (milliseconds since 1970). */
export const momentFields = (
  { metadata }: Pick<Meta, 'metadata'>,
  type: number,
  name: string,
): readonly string[] => {
  const { path, def } = metadata.lookup[type] ?? {};
  if (path?.[0] !== 'pallet_timestamp' || def?.tag !== 'variant') return [];
  const fields = def.value.find((one) => one.name === name)?.fields ?? [];
  return fields.flatMap((field) =>
    /^(T::Moment|Compact<Moment>)$/.test(field.typeName ?? '') && field.name ? [field.name] : [],
  );
};

/** The amounts of System.Account if its data is that of pallet-balances. */
export const accountAmounts = (
  { metadata }: Pick<Meta, 'metadata'>,
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
  return def?.tag === 'composite'
    ? def.value.flatMap(({ name }) => (name === undefined || name === 'flags' ? [] : [name]))
    : [];
};
