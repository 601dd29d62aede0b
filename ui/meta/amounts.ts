import type { RuntimeMeta } from './types.ts';

/**
 * Pallets of the SDK that write the amounts of their calls as `BalanceOf<T>`, the balance of the currency they are
 * set to: the chain's own. Others may mean an asset, whose unit is not the chain's.
 */
const ofChain =
  /^pallet_(staking(_async)?|nomination_pools|treasury|bounties|child_bounties|tips|society|democracy|conviction_voting|vesting|identity|contracts|revive)$/;

/** Fields of a call, given by the type of its pallet's calls and by name, that are amounts in the chain's unit for sure. */
export const amountFields = (meta: RuntimeMeta, calls: number, name: string): readonly string[] => {
  const { path, def } = meta.metadata.lookup[calls] ?? {};
  const [crate = ''] = path ?? [];
  if (def?.tag !== 'variant' || path?.at(-1) !== 'Call') return [];
  // A second instance of pallet-balances holds another currency.
  const isOwn =
    crate === 'pallet_balances' && meta.pallet('Balances')?.calls?.type === calls
      ? /^T::Balance$/
      : ofChain.test(crate)
        ? /^BalanceOf<T(, I)?>$/
        : null;
  const variant = def.value.find((one) => one.name === name);
  return isOwn === null
    ? []
    : (variant?.fields ?? []).flatMap((field) =>
        field.name !== undefined && isOwn.test(field.typeName ?? '') ? [field.name] : [],
      );
};
