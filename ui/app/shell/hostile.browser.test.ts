import { expect, it, onTestFinished, vi } from 'vitest';
import '../../tokens.css';
import '../../base.css';
import '../../panels.css';
import JsonView from '../../kit/json/JsonView.svelte';
import { keepAccounts } from '../../node/accounts.ts';
import Account from '../../node/parts/Account.svelte';
import Identity from '../../panels/node/Identity.svelte';
import { mountIn, openContext, settle, widen, withStatus } from '../../testing/open-page.ts';
import TopBar from './TopBar.svelte';

// Names of chains, runtimes and accounts, and the data of events are chosen by others.
const hostile: Readonly<Record<string, string>> = {
  HTML: '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script><svg onload="window.pwned=1">',
  'a link': 'javascript:window.pwned=1//"><a href="javascript:window.pwned=1">x</a>',
  'text from right to left': '\u202e\u2067txet nedih\u202d',
  '10,000 letters': 'A'.repeat(10_000),
};

it.each(Object.entries(hostile))('%s in a name or in data is shown as text', async (_kind, text) => {
  const faults = vi.fn();
  addEventListener('error', faults);
  onTestFinished(() => removeEventListener('error', faults));
  const { context } = openContext((method) =>
    method === 'rpc_methods'
      ? { methods: ['dev_status', 'system_health'] }
      : method === 'system_health'
        ? { peers: 0, isSyncing: false, shouldHavePeers: false }
        : text,
  );
  const facts = { ready: 0, future: 0, sealFault: { code: 'Internal', message: text }, storageFault: null };
  const runtime = { specName: text, specVersion: 1, storage: 'memory', edited: [] };
  const status = async () => ({ ...facts, ...runtime }) as never;
  const around = withStatus(context, status, { chainName: text });
  const id = `0x${'aa'.repeat(32)}`;
  keepAccounts('accounts', [{ name: text, id, suri: null }]);
  onTestFinished(() => localStorage.clear());
  const bar = mountIn(around, TopBar, { session: null, onpalette: () => undefined });
  widen(bar, 900);
  const pages = [
    bar,
    mountIn(around, Identity, { storedBytes: 0 }),
    mountIn(around, Account, { address: '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY', id }),
    mountIn(around, JsonView, {
      face: 'tree',
      value: { event: text },
      text: () => text,
      label: 'event',
    }),
  ];
  await vi.waitFor(async () => {
    await settle();
    for (const page of pages) expect(page.textContent).toContain(text.slice(0, 12));
  });
  for (const page of pages) {
    expect(page.querySelector('img, script, [onerror], [onload]')).toBeNull();
    expect([...page.querySelectorAll('a')].filter(({ protocol }) => protocol === 'javascript:')).toEqual([]);
  }
  expect((window as { pwned?: number }).pwned).toBeUndefined();
  expect(faults).not.toHaveBeenCalled();
  // A long name leaves the rest of the bar on the screen.
  expect(bar.querySelector('header')?.scrollWidth).toBeLessThanOrEqual(900);
});

it('of a name with a million letters, the beginning is shown', async () => {
  const { context } = openContext((method) =>
    method === 'rpc_methods' ? { methods: ['dev_status'] } : '1.0',
  );
  const name = 'A'.repeat(1_000_000);
  const pool = { ready: 0, future: 0, sealFault: null, storageFault: null };
  const status = async () =>
    ({ ...pool, specName: name, specVersion: 7, storage: 'memory', edited: [] }) as never;
  const around = withStatus(context, status, { chainName: name });
  const bar = mountIn(around, TopBar, { session: null, onpalette: () => undefined });
  const identity = mountIn(around, Identity, { storedBytes: 0 });
  await vi.waitFor(() => {
    expect(bar.textContent).toContain('A… 7');
    expect(identity.textContent).toContain('A… 7');
  });
  expect(`${bar.textContent}${identity.textContent}`.length).toBeLessThan(2000);
});
