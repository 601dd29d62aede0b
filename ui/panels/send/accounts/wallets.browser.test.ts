import { expect, it, onTestFinished, vi } from 'vitest';
import { accountName, devAccounts } from '../../../node/accounts.ts';
import { Signers } from '../../../node/tx/signers.svelte.ts';
import { mountClosable, mountIn, openContext, press, settle, typeIn } from '../../../testing/open-page.ts';
import { useRealNode } from '../../../testing/real-node.ts';
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

it('accounts of wallets that have the same name are told apart by their addresses', async () => {
  onTestFinished(() => {
    vi.unstubAllGlobals();
    sessionStorage.clear();
  });
  const walletOf = (...accounts: readonly { readonly address: string; readonly name: string }[]) => ({
    enable: async () => ({ accounts: { get: async () => accounts }, signer: {} }),
  });
  vi.stubGlobal('injectedWeb3', {
    one: walletOf({ address: '5DfhGyQdFobKM8NsWvEeAKk5EQQgYe9AydgJ7rMB6E1EqRzV', name: 'main' }),
    two: walletOf(
      { address: '5GNJqTPyNqANBkUVMN1LPPrxXnFouWXoe2wNSmmEoLctxiZY', name: 'main' },
      { address: '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY', name: 'other' },
    ),
  });
  const signers = new Signers();
  const names = async (wallet: string) => {
    await signers.connect(wallet);
    return signers.wallet.map(({ name }) => name);
  };
  expect(await names('one')).toEqual(['main']);
  const told = ['main (5DfhGy…qRzV)', 'main (5GNJqT…xiZY)', 'other'];
  expect(await names('two')).toEqual(told);
  expect(await names('two')).toEqual(told);
});

it('accounts are told apart by their names, and one that was added can be removed', async () => {
  onTestFinished(() => {
    for (const { id } of [...signers.added, ...signers.named]) signers.forget(id);
  });
  const signers = new Signers();
  const address = `0x${'11'.repeat(32)}`;
  const { context } = openContext(() => null);
  const props = { meta: real.meta, signers, onpick: () => undefined, onclose: () => undefined };
  const page = mountIn(context, AccountDialog, props);
  const [name] = page.querySelectorAll('input');
  typeIn(name, ' alice ');
  typeIn(page.querySelector('[placeholder="address or 0x…"]'), address);
  expect(page.querySelector('[role="status"]')?.textContent?.trim().replace(/\s+/g, ' ')).toBe(
    'You already have one named “alice”. This one will be named “alice 2”.',
  );
  press(page, 'Add address');
  typeIn(name, '\u202eecila\u0007');
  expect(page.querySelector('[role="status"]')?.textContent).toContain('“ecila”.');
  typeIn(name, '');
  press(page, 'Generate a new key');
  const names = () => [...page.querySelectorAll('li .ellipsis')].map(({ textContent }) => textContent);
  await vi.waitFor(() => expect(names()).toEqual(['alice 2', 'Account']));
  expect(accountName(address)).toBe('alice 2');
  for (const [name, isKey] of [
    ['alice 2', false],
    ['Account', true],
  ] as const) {
    press(page, 'Remove…');
    expect(page.textContent).toContain(`Remove ${name}?`);
    expect(page.textContent.includes('Its key is only in this tab, and is deleted.')).toBe(isKey);
    press(page, 'Remove');
    await vi.waitFor(() => expect(page.textContent).not.toContain(`Remove ${name}?`));
  }
  expect([names(), accountName(address)]).toEqual([[], null]);
});

it('a wallet that its user confirms after the dialog was closed does not change the sender', async () => {
  const confirmed = Promise.withResolvers<void>();
  const accounts = [{ address: '5DfhGyQdFobKM8NsWvEeAKk5EQQgYe9AydgJ7rMB6E1EqRzV', name: 'Mine' }];
  const get = () => confirmed.promise.then(() => accounts);
  vi.stubGlobal('injectedWeb3', { slow: { enable: async () => ({ accounts: { get }, signer: {} }) } });
  const signers = new Signers();
  onTestFinished(() => {
    vi.unstubAllGlobals();
    sessionStorage.clear();
  });
  const { context } = openContext(() => null);
  const onpick = vi.fn();
  const props = { meta: real.meta, signers, onpick, onclose: () => undefined };
  const { page, close } = mountClosable(context, AccountDialog, props);
  press(page, 'Connect slow');
  await close();
  confirmed.resolve();
  await vi.waitFor(() => expect(signers.wallet).toHaveLength(1));
  await settle();
  expect(onpick).not.toHaveBeenCalled();
});

it.each<[string, unknown, string]>([
  ['no list', { length: 1 }, 'something else than a list'],
  ['accounts without an address', [{ name: 'Mine' }], 'something else than a list'],
])('a wallet that returns %s is refused, and nothing is stored', async (_what, accounts, why) => {
  onTestFinished(() => {
    vi.unstubAllGlobals();
    sessionStorage.clear();
  });
  sessionStorage.clear();
  vi.stubGlobal('injectedWeb3', {
    odd: { enable: async () => ({ accounts: { get: async () => accounts } }) },
  });
  await expect(new Signers().connect('odd')).rejects.toThrow(`odd returned ${why}`);
  expect({ ...sessionStorage }).toEqual({});
});

it('a wallet that signs with an unknown scheme is refused', async () => {
  onTestFinished(() => {
    vi.unstubAllGlobals();
    sessionStorage.clear();
  });
  const accounts = [{ address: '5DfhGyQdFobKM8NsWvEeAKk5EQQgYe9AydgJ7rMB6E1EqRzV', name: 'Mine' }];
  const signer = { signPayload: async () => ({ signature: `0x07${'11'.repeat(64)}` }) };
  vi.stubGlobal('injectedWeb3', {
    odd: { enable: async () => ({ accounts: { get: async () => accounts }, signer }) },
  });
  const signers = new Signers();
  await signers.connect('odd');
  const [account] = signers.wallet;
  await expect(account?.sign({} as never)).rejects.toThrow('odd returned a signature of an unknown kind');
});
