import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import '../../tokens.css';
import { currentFrame } from '../../kit/page/frame.ts';
import LoadingOverlay from '../../kit/states/LoadingOverlay.svelte';
import { mountIn, openContext, settle, typeIn } from '../../testing/open-page.ts';
import Palette from './Palette.svelte';

it('what comes later is below what is shown, so that nothing moves under a pointer', async () => {
  const { context } = openContext(() => ({ methods: ['account_nextIndex'] }));
  let best = $state.raw<unknown>(null);
  Object.defineProperty(context.metadata, 'best', { get: () => best });
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
  Object.defineProperty(context.metadata, 'best', { get: () => meta });
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

const enter = (field: Element | null) => {
  field?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
  flushSync();
};
/** The palette before the methods are there; `list` brings them. */
const openEarly = () => {
  const methods = Promise.withResolvers<unknown>();
  const { context } = openContext((method) => (method === 'rpc_methods' ? methods.promise : null));
  Object.defineProperty(context.metadata, 'best', { get: () => ({ metadata: { pallets: [] } }) });
  const opened = () => currentFrame().address.read();
  return { context, opened, list: (...names: string[]) => methods.resolve({ methods: names }) };
};

it('Enter before all results are there runs the first of all, even if it comes late', async () => {
  const { context, opened, list } = openEarly();
  const onclose = vi.fn();
  const page = mountIn(context, Palette, { session: null, onclose });
  const field = page.querySelector('input');
  const before = opened();
  typeIn(field, 'rpc_methods');
  enter(field);
  expect([onclose.mock.calls.length, opened()]).toEqual([0, before]);
  expect(page.querySelector('[role="status"]')?.textContent).toContain('Searching');
  list('rpc_methods', 'system_name');
  await vi.waitFor(() => expect(onclose).toHaveBeenCalledOnce());
  expect(opened()).toContain('rpc/rpc_methods');
});

it('Enter again, or after an arrow key, runs what is marked without waiting; typing goes on without running', async () => {
  const { context, opened, list } = openEarly();
  const onclose = vi.fn();
  const page = mountIn(context, Palette, { session: null, onclose });
  const field = page.querySelector('input');
  typeIn(field, 'accou');
  enter(field);
  typeIn(field, 'accoun');
  list('system_name');
  await settle();
  await settle();
  expect(onclose).not.toHaveBeenCalled();
  const other = openEarly();
  const again = mountIn(other.context, Palette, { session: null, onclose });
  typeIn(again.querySelector('input'), 'accou');
  enter(again.querySelector('input'));
  expect(onclose).not.toHaveBeenCalled();
  enter(again.querySelector('input'));
  expect(onclose).toHaveBeenCalledOnce();
  expect(opened()).toContain('send');
});

it('Enter runs at once what nothing that is still to come can be before', () => {
  for (const typed of ['storage', 'Alice', '12']) {
    const { context } = openEarly();
    const onclose = vi.fn();
    const page = mountIn(context, Palette, { session: null, onclose });
    typeIn(page.querySelector('input'), typed);
    enter(page.querySelector('input'));
    expect(onclose, typed).toHaveBeenCalledOnce();
  }
});

it('what was typed and entered while the palette itself was loaded is run', async () => {
  const { context, opened, list } = openEarly();
  const code = Promise.withResolvers<{ default: typeof Palette }>();
  const onclose = vi.fn();
  const props = $state({ session: null, before: '', onclose });
  const overlay = $state({
    title: 'Search or run',
    load: () => code.promise,
    onclose,
    get props() {
      return { ...props };
    },
    get typed() {
      return props.before;
    },
    set typed(text: string) {
      props.before = text;
    },
  });
  mountIn(context, LoadingOverlay, overlay as never);
  const { keys } = currentFrame();
  for (const key of [...'system_name', 'Enter', 'x'])
    keys.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  expect(props.before).toBe('system_name\n');
  code.resolve({ default: Palette });
  list('system_name', 'system_version');
  await vi.waitFor(() => expect(onclose).toHaveBeenCalledOnce());
  expect(opened()).toContain('rpc/system_name');
});
