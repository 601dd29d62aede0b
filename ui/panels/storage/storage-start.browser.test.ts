import { expect, it, vi } from 'vitest';
import { mountIn, openContext } from '../../testing/open-page.ts';
import { useRealNode } from '../../testing/real-node.ts';
import StorageStart from './StorageStart.svelte';

const real = useRealNode();

it('starts with balances, issuance, time and the sudo key: links with values, by one request', async () => {
  const { context, asked } = openContext((method, params) => real.request(method, params));
  const hash = String(await real.request('chain_getBlockHash', []));
  const page = mountIn(context, StorageStart, { meta: real.meta, hash });
  const rows = () =>
    [...page.querySelectorAll('section a')].map((row) => row.textContent?.replace(/\s+/g, ' ').trim());
  await vi.waitFor(() => expect(rows()).toContain('Sudo.Key Alice'));
  await vi.waitFor(() => expect(rows()).toContainEqual(expect.stringMatching(/^Alice .*UNIT/)));
  expect(rows()).toContainEqual(expect.stringMatching(/^Balances\.TotalIssuance .*UNIT$/));
  expect(rows()).toContainEqual(expect.stringMatching(/^Timestamp\.Now /));
  expect(rows()).not.toContainEqual(expect.stringMatching(/…$/));
  const links = [...page.querySelectorAll('section a')].map((row) => row.getAttribute('href'));
  expect(links).toContain('#/storage/Sudo/Key');
  expect(links[0]).toContain('#/storage/System/Account/');
  expect(asked.filter(([method]) => method === 'state_queryStorageAt').length).toBe(1);
});
