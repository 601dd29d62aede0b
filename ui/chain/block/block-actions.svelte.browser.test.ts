import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import { mountIn, openContext } from '../../testing/open-page.ts';
import BlockActions from './BlockActions.svelte';

it('a fork that a rollback left behind can be switched to, and neither built on nor finalized', async () => {
  const kept = '0x0a';
  const { context } = openContext((method) => (method === 'archive_v1_hashByHeight' ? [kept] : null));
  const chainActions = { offers: { has: () => true, fault: null }, actions: { busy: null } };
  const props = $state({ chainActions, hash: '0x0b', number: 9, standing: 'fork' });
  const page = mountIn(context, BlockActions, props as never);
  const names = () => {
    flushSync();
    return [...page.querySelectorAll('button')].map(({ textContent }) => textContent.trim());
  };
  await vi.waitFor(() => expect(names()).toEqual(['Switch to this…']));
  expect(page.textContent).toContain('A rollback left this fork behind.');
  props.hash = kept;
  await vi.waitFor(() => expect(names()).toEqual(['Build on this', 'Finalize this…', 'Switch to this…']));
});
