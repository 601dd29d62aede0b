import type { ApiPromise } from '@polkadot/api';

type Info = { readonly data: { readonly free: { toString(): string } } };

/** Shows an account's free balance now and whenever it changes. */
export const showBalance = async (
  api: ApiPromise,
  address: string,
  show: (text: string) => void,
): Promise<void> => {
  await api.query['system']?.['account']?.(address, (info: unknown) =>
    show((info as Info).data.free.toString()),
  );
};
