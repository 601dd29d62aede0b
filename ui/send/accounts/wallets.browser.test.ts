import { expect, it, onTestFinished, vi } from 'vitest';
import { devAccounts } from '../../state/accounts.ts';
import { Signers } from '../../state/transactions/signers.svelte.ts';
import { mountIn, openContext } from '../../testing/open-page.ts';
import { useRealNode } from '../../testing/real-node.ts';
import SignerRow from '../build/SignerRow.svelte';
import AccountDialog from './AccountDialog.svelte';

const real = useRealNode();

it('an account to add begins with its name', async () => {
  const { context } = openContext(() => null);
  const props = {
    meta: real.meta,
    signers: new Signers(),
    onpick: () => undefined,
    onclose: () => undefined,
  };
  mountIn(context, AccountDialog, props);
  await vi.waitFor(() =>
    expect((document.activeElement as HTMLInputElement).labels?.[0]?.textContent?.trim()).toBe('Name'),
  );
});

it('an account that two wallets have is offered once', async () => {
  onTestFinished(() => {
    vi.unstubAllGlobals();
    sessionStorage.clear();
  });
  const accounts = [{ address: '5DfhGyQdFobKM8NsWvEeAKk5EQQgYe9AydgJ7rMB6E1EqRzV', name: 'Mine' }];
  const enable = async () => ({ accounts: { get: async () => accounts }, signer: {} });
  vi.stubGlobal('injectedWeb3', { one: { enable }, two: { enable } });
  const signers = new Signers();
  expect([await signers.connect('one'), await signers.connect('two')]).toEqual([1, 1]);
  const { context } = openContext((method, params) => real.request(method, params));
  const page = mountIn(context, SignerRow, { meta: real.meta, signers, id: devAccounts[0]?.id ?? '' });
  const options = [...page.querySelectorAll('[label="Wallet"] option')].map(({ textContent }) => textContent);
  expect(options).toEqual(['Mine']);
});
