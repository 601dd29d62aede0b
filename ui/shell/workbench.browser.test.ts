import { flushSync, mount, unmount } from 'svelte';
import { expect, it, onTestFinished, vi } from 'vitest';
import App from '../App.svelte';
import { loadPanel, panels } from '../panels.ts';
import { ChainBook } from '../session/chain-book.svelte.ts';
import { Session } from '../session/session.svelte.ts';
import { openNode } from '../testing/open-page.ts';

const openApp = () => {
  const session = new Session(async () => openNode(() => new Promise(() => undefined)).node, new ChainBook());
  const app = mount(App, { target: document.body, props: { session } });
  onTestFinished(async () => {
    await unmount(app);
    localStorage.clear();
    location.hash = '';
  });
  return session;
};

it('a key that opens another panel moves the focus there', async () => {
  await openApp().begin();
  flushSync();
  document.querySelector<HTMLElement>('main input, main a')?.focus();
  for (const { key, label } of panels.toReversed()) {
    (document.activeElement ?? document.body).dispatchEvent(
      new KeyboardEvent('keydown', { key, bubbles: true }),
    );
    await vi.waitFor(() => expect(document.title).toContain(label));
    expect(document.activeElement?.closest('main')?.ariaLabel).toBe(label);
  }
});

it('a switch to another chain, also while a panel loads, leaves no warning in the console', async () => {
  const warnings = vi.spyOn(console, 'warn');
  const errors = vi.spyOn(console, 'error');
  const session = openApp();
  const origin = { kind: 'preset', preset: 'development' } as const;
  const chains = [...session.book.entries, await session.book.create('Other', origin)];
  for (const panel of panels)
    for (const chain of chains) {
      await session.start(chain);
      location.hash = `#/@${chain.id}/${panel.id}`;
      await vi.waitFor(() => expect(document.title).toContain(`${panel.label} · ${chain.name}`));
      flushSync();
      const loading = loadPanel(panel);
      await session.start(chains.find((one) => one !== chain) ?? chain);
      flushSync();
      await loading;
    }
  expect([...warnings.mock.calls, ...errors.mock.calls].flat()).toEqual([]);
});
