import { expect, it } from 'vitest';
import { encodeKey, storageEntry } from '../../../../src/scale/storage.ts';
import { devAccounts } from '../../../node/accounts.ts';
import { mountIn, openContext } from '../../../testing/open-page.ts';
import { useRealNode } from '../../../testing/real-node.ts';
import SubscriptionRow from './SubscriptionRow.svelte';

const real = useRealNode();

it('what copies an opened notification has no line of its own', () => {
  const page = mountIn(openContext(() => null).context, SubscriptionRow, {
    ...{ item: { id: 1, atMs: 0, value: { number: 1 } }, call: { method: 'a', params: [] } },
    ...{ meta: null, open: true, onopen: () => undefined },
  } as never);
  const tops = ['[title^="Copy"]', '.value > div'].map(
    (of) => page.querySelector(of)?.getBoundingClientRect().top,
  );
  expect(Math.abs((tops[0] ?? 0) - (tops[1] ?? 99))).toBeLessThan(4);
});

it('the balance of an account that changed is in the unit of the chain', async () => {
  const { context } = openContext(() => ({ tokenDecimals: 12, tokenSymbol: 'UNIT' }));
  const entry = storageEntry(real.meta, 'System', 'Account');
  if (entry === null) throw new Error('no accounts');
  const key = encodeKey(real.meta, entry, [devAccounts[0]?.id ?? '']);
  const value = { block: '0x01', changes: [[key, await real.request('state_getStorage', [key])]] };
  const page = mountIn(context, SubscriptionRow, {
    item: { id: 1, atMs: 0, value },
    call: { method: 'state_subscribeStorage', params: [[key]] },
    meta: real.meta,
    open: false,
    onopen: () => undefined,
  } as never);
  await expect.poll(() => page.textContent).toMatch(/System.Account\(Alice\)\s+1\s000\s000 UNIT · nonce 0/);
});
