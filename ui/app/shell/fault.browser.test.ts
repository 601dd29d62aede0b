import { expect, it, onTestFinished, vi } from 'vitest';
import { NodeError } from '../../../src/index.ts';
import { leaderLock } from '../../../src/tabs/messages.ts';
import { mountIn, openContext, press } from '../../testing/open-page.ts';
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
  // A browser that fails to respond once is asked again.
  const looked = vi.spyOn(navigator.locks, 'query').mockRejectedValueOnce(new Error('no answer'));
  await vi.waitFor(() => expect(looked.mock.settledResults.length).toBeGreaterThan(1), { timeout: 10_000 });
  expect(start).not.toHaveBeenCalled();
  take('development');
  await vi.waitFor(() => expect(start).toHaveBeenCalledWith(entry), { timeout: 10_000 });
  expect(start).toHaveBeenCalledOnce();
});

it('a repair first closes the chain in the other tabs, and says so', async () => {
  const entry = { id: 'broken', name: 'Broken' };
  const source = vi.fn(() => new Promise(() => undefined));
  const others = new BroadcastChannel('tabnode.chains');
  const hold = Promise.withResolvers<void>();
  onTestFinished(() => {
    others.close();
    hold.resolve();
  });
  void navigator.locks.request(leaderLock('broken', 'tab'), async () => hold.promise);
  const heard = Promise.withResolvers<unknown>();
  others.onmessage = ({ data }) => heard.resolve(data);
  const phase = { kind: 'repair', entry };
  const page = mountIn(openContext(() => null).context, Fault, {
    phase,
    session: { book: { source } },
  } as never);
  expect(page.textContent).toContain('The repair stops its node, in other tabs too.');
  await vi.waitFor(() => press(page, 'Repair…'));
  expect(await heard.promise).toEqual({ kind: 'over', chain: 'broken' });
  expect(source, 'not while another tab runs it').not.toHaveBeenCalled();
  others.postMessage({ kind: 'free', chain: 'broken' });
  await vi.waitFor(() => expect(source).toHaveBeenCalledOnce());
});

it('a node whose code did not come is not said to have failed: the page is reloaded', () => {
  const { context } = openContext(() => null);
  const open = (details: Record<string, unknown>) => {
    const error = new NodeError('Internal', 'no file', { details });
    const phase = { kind: 'failed', entry: { id: 'development', name: 'Development' }, error };
    return mountIn(context, Fault, { phase, session: {} } as never);
  };
  const page = open({ isCode: true });
  expect(page.textContent).toContain('The page’s code could not be loaded');
  expect([...page.querySelectorAll('button')].map((one) => one.textContent.trim())).toContain('Reload');
  expect(page.textContent).not.toContain('The node could not start');
  expect(open({}).textContent).toContain('The node could not start');
});

it('where the browser stores nothing, a chain in memory can be started; the page says when it is lost', () => {
  const { context } = openContext(() => null);
  const entry = { id: 'development', name: 'Development' };
  const session = { inMemory: false, start: vi.fn() };
  const open = (kind: 'failed' | 'dead') => {
    const phase = { kind, entry, error: new NodeError('StorageDenied') };
    return mountIn(context, Fault, { phase, session } as never);
  };
  const page = open('failed');
  expect(page.textContent).toContain('The browser stores nothing for this page');
  expect(page.textContent).toContain(
    'lost when you close or reload the page, switch its clock or the chain.',
  );
  expect(page.textContent).not.toContain('The stored chain');
  press(page, 'Start a chain in memory');
  expect(session.inMemory).toBe(true);
  expect(session.start).toHaveBeenCalledWith(entry);
  expect(open('dead').textContent).toContain('A restart begins a new one.');
});
