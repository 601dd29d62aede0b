import { expect, it, onTestFinished, vi } from 'vitest';
import { leaderLock } from '../../src/tabs/words.ts';
import { mountIn, openContext } from '../testing/open-page.ts';
import Fault from './Fault.svelte';

it('a chain that another tab is still starting is opened once that tab shares it', async () => {
  const entry = { id: 'development', name: 'Development' };
  const start = vi.fn();
  const { context } = openContext(() => null);
  const open = (why: string) =>
    mountIn(context, Fault, { phase: { kind: 'inUse', entry, why }, session: { start } } as never);
  open('closed');
  const page = open('open');
  expect(page.textContent).toContain('open in another tab');
  const hold = Promise.withResolvers<void>();
  onTestFinished(() => hold.resolve());
  const take = (chain: string): void => {
    void navigator.locks.request(leaderLock(chain, 'tab'), async () => hold.promise);
  };
  take('development-2');
  const looked = vi.spyOn(navigator.locks, 'query');
  await vi.waitFor(() => expect(looked.mock.settledResults.length).toBeGreaterThan(1), { timeout: 10_000 });
  expect(start).not.toHaveBeenCalled();
  take('development');
  await vi.waitFor(() => expect(start).toHaveBeenCalledWith(entry), { timeout: 10_000 });
  expect(start).toHaveBeenCalledOnce();
});
