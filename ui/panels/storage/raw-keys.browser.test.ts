import { expect, it, vi } from 'vitest';
import '../../tokens.css';
import '../../base.css';
import '../../panels.css';
import { openLink } from '../../kit/page/route.svelte.ts';
import { mountIn, openContext, widen } from '../../testing/open-page.ts';
import { useRealNode } from '../../testing/real-node.ts';
import RawKeys from './RawKeys.svelte';

const real = useRealNode();

it('a key that the metadata does not know is said to be unknown, in muted words', () => {
  const { context } = openContext(() => new Promise(() => undefined));
  openLink(`#/storage/raw?key=0x${'ab'.repeat(32)}`);
  const page = mountIn(context, RawKeys, { hash: null, meta: real.meta });
  expect(page.querySelector('[role="status"] .muted')?.textContent).toBe(
    'Not known to this runtime’s metadata.',
  );
});

it('a well-known key can be typed by its name', async () => {
  const { context } = openContext((method) => (method === 'state_getKeysPaged' ? [] : null));
  openLink('#/storage/key');
  const page = mountIn(context, RawKeys, { hash: null, meta: real.meta });
  const field = page.querySelector('textarea') as HTMLTextAreaElement;
  const status = () => page.querySelector('[role="status"]')?.textContent?.trim();
  for (const [typed, says] of [
    [':code', /^:code\s+The runtime/],
    ['code', /^Enter a key as 0x/],
  ] as const) {
    field.value = typed;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    await vi.waitFor(() => expect(status()).toMatch(says));
    expect(field.value).toBe(typed);
  }
});

it('every key that is loaded can be scrolled to: the list goes on past its second page', async () => {
  const all = Array.from({ length: 650 }, (_, at) => `0xabcd${at.toString(16).padStart(4, '0')}`);
  const { context } = openContext((method, [, count, after]) => {
    if (method !== 'state_getKeysPaged') return null;
    const from = after == null ? 0 : all.indexOf(String(after)) + 1;
    return all.slice(from, from + Number(count));
  });
  openLink('#/storage/key?key=0xabcd');
  const page = mountIn(context, RawKeys, { hash: null, meta: real.meta });
  widen(page, 900);
  const view = () => page.querySelector<HTMLElement>('.view');
  const titles = () => [...page.querySelectorAll('.key a')].map((link) => (link as HTMLAnchorElement).title);
  await vi.waitFor(() => expect(titles()[0]).toBe(all[0]));
  await vi.waitFor(() => {
    view()?.scrollTo(0, view()?.scrollHeight ?? 0);
    expect(titles().at(-1)).toBe(all.at(-1));
  });
  expect(page.querySelector('h3')?.textContent).toContain('650');
  // Only what is near the window is rendered.
  expect(titles().length).toBeLessThan(100);
});
