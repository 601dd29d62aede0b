import { ApiPromise, WsProvider } from '@polkadot/api';
import type { ApiOptions } from '@polkadot/api/types';
import { Keyring } from '@polkadot/keyring';
import { cryptoWaitReady } from '@polkadot/util-crypto';
import { showBalance } from './balance.ts';
import { sendTransfer } from './transfer.ts';

// An ordinary dApp: nothing here knows about Tabnode.
const find = <T extends Element>(selector: string): T => {
  const element = document.querySelector<T>(selector);
  if (element === null) throw new Error(`The page has no ${selector}`);
  return element;
};

await cryptoWaitReady();
// polkadot-js's own types disagree under exactOptionalPropertyTypes.
const provider = new WsProvider('ws://127.0.0.1:9944') as unknown as NonNullable<ApiOptions['provider']>;
const keyring = new Keyring({ type: 'sr25519' });
const [alice, bob] = [keyring.addFromUri('//Alice'), keyring.addFromUri('//Bob')];
const api = await ApiPromise.create({ provider, noInitWarn: true });

find<HTMLFormElement>('form').addEventListener('submit', (event) => {
  event.preventDefault();
  const amount = BigInt(find<HTMLInputElement>('[name=amount]').value);
  const show = (text: string): void => {
    find('[data-testid=progress]').textContent = text;
  };
  void sendTransfer(api, alice, bob.address, amount, show).catch((error: unknown) => show(String(error)));
});

await showBalance(api, alice.address, (text) => {
  find('[data-testid=alice]').textContent = text;
});
await showBalance(api, bob.address, (text) => {
  find('[data-testid=bob]').textContent = text;
});
