import type { ApiPromise } from '@polkadot/api';
import type { KeyringPair } from '@polkadot/keyring/types';

/** Sends a transfer; resolves when it is final, rejects when it fails. */
export const sendTransfer = (
  api: ApiPromise,
  from: KeyringPair,
  to: string,
  amount: bigint,
  show: (text: string) => void,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const call = api.tx['balances']?.['transferKeepAlive']?.(to, amount);
    if (call === undefined) throw new Error('The chain has no transfers');
    call
      .signAndSend(from, ({ status, dispatchError }) => {
        show(status.type);
        if (dispatchError !== undefined) reject(new Error(dispatchError.toString()));
        else if (status.isFinalized) resolve();
      })
      .catch(reject);
  });
