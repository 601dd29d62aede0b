import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import '../../tokens.css';
import { mountIn, openContext, settle, typeIn } from '../../testing/open-page.ts';
import Palette from './Palette.svelte';

it('what comes later is below what is shown, so that nothing moves under a pointer', async () => {
  const { context } = openContext(() => ({ methods: ['account_nextIndex'] }));
  let best = $state.raw<unknown>(null);
  Object.defineProperty(context.metas, 'best', { get: () => best });
  const page = mountIn(context, Palette, { session: null, onclose: () => undefined });
  await settle();
  typeIn(page.querySelector('input'), 'account');
  const labels = () =>
    [...page.querySelectorAll('[role="option"] > :first-child')].map((one) => one.textContent);
  const early = labels();
  expect(early).toContain('account_nextIndex');
  const [last, dialog] = [
    [...page.querySelectorAll('[role="option"]')].at(-1),
    page.querySelector('dialog'),
  ].map((one) => one?.getBoundingClientRect().bottom ?? 0);
  expect((dialog ?? 0) - (last ?? 0), 'below the last row').toBeGreaterThanOrEqual(4);
  const storage = { items: [{ name: 'Account', docs: [] }] };
  best = { metadata: { pallets: [{ name: 'System', storage }] } };
  flushSync();
  expect(labels()).toEqual([...early, 'System.Account']);
  typeIn(page.querySelector('input'), 'accoun');
  expect(labels().indexOf('System.Account')).toBeLessThan(labels().indexOf('account_nextIndex'));
});

it('says that there are no results only once methods and metadata were read', async () => {
  const answer = Promise.withResolvers<unknown>();
  const { context } = openContext(() => answer.promise);
  let meta = $state.raw<unknown>(null);
  Object.defineProperty(context.metas, 'best', { get: () => meta });
  const page = mountIn(context, Palette, { session: null, onclose: () => undefined });
  typeIn(page.querySelector('input'), 'no_such_thing');
  const status = () => [...page.querySelectorAll('[role="status"]')].map((one) => one.textContent).join();
  expect(status()).toBe('Searching');
  answer.resolve({ methods: ['account_nextIndex'] });
  await settle();
  expect(status()).toBe('Searching');
  meta = { metadata: { pallets: [] } };
  await vi.waitFor(() => expect(status()).toBe('No results for “no_such_thing”.'));
});

it('says of a number above the best block that there is no such block yet', () => {
  const { context } = openContext(() => new Promise(() => undefined));
  const page = mountIn(context, Palette, { session: null, onclose: () => undefined });
  const hint = (typed: string) => {
    typeIn(page.querySelector('input'), typed);
    return page.querySelector('[role="option"]')?.textContent.trim().replace(/\s+/g, ' ');
  };
  expect(hint('13')).toBe('Block #13 not yet: the best one is #12');
  expect(hint('#12')).toBe('Block #12 open the block');
  expect(hint('block 12')).toBe('Block #12 open the block');
  // While the node starts.
  Object.defineProperty(context.chain, 'best', { get: () => null });
  expect(hint('#13')).toBe('Block #13 open the block');
});
