import type { CDPSession } from '@vitest/browser-playwright';
import { expect, it, onTestFinished } from 'vitest';
import { cdp } from 'vitest/browser';
import '../../tokens.css';
import '../../base.css';
import '../../panels.css';
import { mountIn, openContext, settle, widen, withStatus } from '../../testing/open-page.ts';
import Identity from './Identity.svelte';

it('the node says how many peers it has, and tells its own size from that of all chains', async () => {
  const { context } = openContext((method) =>
    method === 'system_health' ? { peers: 3, isSyncing: false, shouldHavePeers: true } : '1.0',
  );
  for (const [storage, stored] of [
    ['memory', /stored\s*memory, 5 B\s*$/],
    ['indexeddb', /stored\s*IndexedDB of this browser, 5 B for all chains\s*$/],
  ] as const) {
    const status = async () => ({ specName: 'tabnode', specVersion: 101, storage }) as never;
    const page = mountIn(withStatus(context, status), Identity, { storedBytes: 5 });
    await settle();
    expect(page.textContent).toMatch(/peers\s*3/);
    expect(page.textContent).toMatch(stored);
  }
});

it('on a touch screen, a name is level with the first line of its value, however many it has', async () => {
  const touch = (enabled: boolean) =>
    (cdp() as CDPSession).send('Emulation.setTouchEmulationEnabled', { enabled });
  onTestFinished(() => void touch(false));
  await touch(true);
  expect(matchMedia('(pointer: coarse)').matches).toBe(true);
  const status = async () => ({ specName: 'tabnode', specVersion: 101, storage: 'indexeddb' }) as never;
  const { context } = openContext((method) => (method === 'system_health' ? { peers: 3 } : '1.0'));
  const page = mountIn(withStatus(context, status), Identity, { storedBytes: 5 });
  await settle();
  widen(page, 220);
  const middleOf = (of: Element | null | undefined) => {
    const range = document.createRange();
    range.selectNodeContents(of as Element);
    const { top = 0, bottom = 0 } = range.getClientRects()[0] ?? {};
    return (top + bottom) / 2;
  };
  const names = [...page.querySelectorAll('dt')];
  const stored = names.find(({ textContent }) => textContent === 'stored');
  expect(stored?.nextElementSibling?.clientHeight).toBeGreaterThan(40);
  for (const one of names.filter((name) => !name.nextElementSibling?.querySelector('button')))
    expect(Math.abs(middleOf(one) - middleOf(one.nextElementSibling)), one.textContent ?? '').toBeLessThan(2);
});
