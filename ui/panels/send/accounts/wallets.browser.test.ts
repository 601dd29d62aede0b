import { flushSync } from 'svelte';
import { expect, it, onTestFinished, vi } from 'vitest';
import { toAddress } from '../../../../src/scale/address.ts';
import { accountName, devAccounts } from '../../../node/accounts.ts';
import { Signers } from '../../../node/tx/signers.svelte.ts';
import { mountClosable, mountIn, openContext, press, settle, typeIn } from '../../../testing/open-page.ts';
import { useRealNode } from '../../../testing/real-node.ts';
import SignerRow from '../build/SignerRow.svelte';
import AccountDialog from './AccountDialog.svelte';

const real = useRealNode();

const openDialog = () => {
  const onpick = vi.fn();
  const signers = new Signers();
  const { context } = openContext(() => null);
  const props = { meta: real.meta, signers, onpick, onclose: () => undefined };
  return { ...mountClosable(context, AccountDialog, props), signers, onpick };
};

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
  for (const wallet of ['one', 'two'])
    expect((await signers.connect(wallet)).accounts.map(({ name }) => name)).toEqual(['Mine']);
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

const mine = '5DfhGyQdFobKM8NsWvEeAKk5EQQgYe9AydgJ7rMB6E1EqRzV';
const list = (...accounts: readonly unknown[]) => ({ get: async () => accounts });
/** The page has this wallet until the test ends. */
const install = (odd: unknown) => {
  onTestFinished(() => {
    vi.unstubAllGlobals();
    sessionStorage.clear();
  });
  sessionStorage.clear();
  vi.stubGlobal('injectedWeb3', { odd });
};
const fail = (fault: unknown) => async () => {
  throw fault;
};

it.each<[string, unknown, string]>([
  [
    'returns no list',
    { enable: async () => ({ accounts: { get: async () => ({ length: 1 }) } }) },
    'odd returned something else than a list',
  ],
  [
    'lists accounts without an address',
    { enable: async () => ({ accounts: list({ name: 'Mine' }) }) },
    'odd returned something else than a list',
  ],
  [
    'returns nothing',
    { enable: async () => undefined },
    'odd returned something else than access to accounts.',
  ],
  ['has no way in', {}, 'There is no wallet odd in this browser.'],
  ['refuses', { enable: fail(new Error('Rejected')) }, 'odd did not give access to its accounts: Rejected'],
  ['throws a text', { enable: fail('not now') }, 'odd did not give access to its accounts: not now'],
  [
    'throws nothing',
    { enable: fail(undefined) },
    'odd did not give access to its accounts: it gave no reason',
  ],
  [
    'throws at once',
    {
      enable: () => {
        throw new Error('x'.repeat(1e6));
      },
    },
    `odd did not give access to its accounts: ${'x'.repeat(199)}…`,
  ],
  [
    'fails to list',
    { enable: async () => ({ accounts: { get: fail('locked') } }) },
    'odd did not list its accounts: locked',
  ],
])('a wallet that %s is refused in one sentence, and nothing is stored', async (_what, wallet, why) => {
  install(wallet);
  const signers = new Signers();
  const fault: unknown = await signers.connect('odd').catch((error: unknown) => error);
  expect(String(fault)).toContain(why);
  expect([signers.wallet, { ...sessionStorage }]).toEqual([[], {}]);
});

it('a wallet that offers connect instead of enable is connected', async () => {
  install({ connect: async () => ({ accounts: list({ address: mine }) }) });
  expect((await new Signers().connect('odd')).accounts).toMatchObject([{ name: '5DfhGyQd', address: mine }]);
});

it('of 10,000 accounts with duplicates and names of any length, 200 are offered', async () => {
  const addresses = Array.from({ length: 5000 }, (_, at) =>
    toAddress(`0x${at.toString(16).padStart(64, '0')}`, 42),
  );
  const accounts = [...addresses, ...addresses].map((address) => ({
    address,
    name: `\u202e${'n'.repeat(1000)}`,
  }));
  install({ enable: async () => ({ accounts: list(...accounts), signer: {} }) });
  const { page, onpick } = openDialog();
  press(page, 'Connect odd');
  await vi.waitFor(() =>
    expect(page.textContent).toContain(
      'Connected 200 accounts of odd. It has 5\u202f000; allow fewer to see others.',
    ),
  );
  expect(onpick).toHaveBeenCalledTimes(1);
  expect(sessionStorage.getItem('tabnode.wallets')?.length).toBeLessThan(50_000);
});

it('a wallet that does not answer is named until it is canceled', async () => {
  install({ enable: () => new Promise(() => undefined) });
  const { page } = openDialog();
  press(page, 'Connect odd');
  await settle();
  expect(page.textContent).toContain('Waiting for odd. Allow this page in its window.');
  press(page, 'Cancel');
  await vi.waitFor(() =>
    expect(page.querySelector('[role="alert"]')?.textContent).toBe('You no longer wait for odd. Try again.'),
  );
  expect(page.textContent).not.toContain('Waiting for odd');
});

it('a wallet that is there later than the dialog is found', async () => {
  const { page } = openDialog();
  expect(page.textContent).toContain('No wallet extension found.');
  install({ enable: async () => ({ accounts: list({ address: mine, name: 'Mine' }) }) });
  press(page, 'Look for wallets again');
  flushSync();
  press(page, 'Connect odd');
  await vi.waitFor(() => expect(page.textContent).toContain('Connected 1 account of odd.'));
});

it.each<[string, unknown, string]>([
  [
    'an unknown scheme',
    async () => ({ signature: `0x07${'11'.repeat(64)}` }),
    'odd returned a signature of an unknown kind.',
  ],
  [
    'another length',
    async () => ({ signature: `0x01${'11'.repeat(63)}` }),
    'odd returned a signature of an unknown kind.',
  ],
  ['no signature', async () => undefined, 'odd returned a signature of an unknown kind.'],
  ['a refusal', fail(new Error('Cancelled')), 'odd did not sign: Cancelled'],
  ['a text', fail('changed account'), 'odd did not sign: changed account'],
  ['nothing to sign with', undefined, 'odd cannot sign transactions.'],
])('a wallet that answers with %s is refused', async (_what, signPayload, why) => {
  install({
    enable: async () => ({ accounts: list({ address: mine, name: 'Mine' }), signer: { signPayload } }),
  });
  const { accounts } = await new Signers().connect('odd');
  await expect(accounts[0]?.sign({} as never)).rejects.toThrow(why);
});

it('a wallet that does not sign is waited for until that is canceled', async () => {
  const signPayload = () => new Promise(() => undefined);
  install({
    enable: async () => ({ accounts: list({ address: mine, name: 'Mine' }), signer: { signPayload } }),
  });
  const { accounts } = await new Signers().connect('odd');
  const canceled = new AbortController();
  const signing = accounts[0]?.sign({} as never, canceled.signal);
  canceled.abort();
  await expect(signing).rejects.toMatchObject({
    code: 'Aborted',
    message: 'You no longer wait for odd. Try again.',
  });
});
