import { flushSync } from 'svelte';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openLink } from '../../kit/page/route.svelte.ts';
import { findPanel } from '../../panels/panels.ts';
import { mountIn, openContext, press } from '../../testing/open-page.ts';
import PanelHost from './PanelHost.svelte';

it('a panel whose style sheet does not come says so instead of being shown without it, and tries again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const link = document.createElement('link');
  link.dataset['tries'] = '1';
  document.head.append(link);
  onTestFinished(() => {
    link.remove();
    vi.useRealTimers();
  });
  const { default: Content } = await import('../../node/parts/NoPage.svelte');
  const panel = { id: 'one', label: 'One', load: async () => ({ default: Content }) };
  const page = mountIn(openContext(() => null).context, PanelHost, { panel } as never);
  await vi.advanceTimersByTimeAsync(8000);
  flushSync();
  expect(page.querySelector('[role="alert"]')?.textContent).toContain('This panel couldn’t load');
  link.rel = 'stylesheet';
  link.href = 'data:text/css,';
  await vi.waitFor(() => expect(link.sheet).not.toBeNull());
  press(page, 'Try again');
  await vi.waitFor(() => {
    flushSync();
    expect(page.querySelector('[role="alert"]')).toBeNull();
    expect(page.textContent).toContain('There is no page');
  });
});

it.each([
  ['send/upgrade', 'dev_runtimeInfo'],
  ['send/pool', 'dev_pool'],
  ['runtime/module', 'dev_runtimeInfo'],
  ['runtime/logs', 'dev_subscribeLogs'],
  ['node/keys', 'dev_listKeys'],
  ['chain/control', 'dev_newBlock'],
])(
  'the address of the page %s says that the node does not have %s, and asks for nothing',
  async (place, needs) => {
    const { context, asked } = openContext(() => new Promise(() => undefined));
    // As of a native node.
    const offers = (method: string | undefined) => !method?.startsWith('dev_');
    const panel = findPanel(place.split('/')[0] ?? '');
    openLink(`#/${place}`);
    const page = mountIn({ ...context, node: context.node.with({ offers }) }, PanelHost, { panel } as never);
    await vi.waitFor(() => expect(page.textContent).toContain(`There is no page “${place}”`));
    expect(page.textContent).toContain(`This node does not have ${needs}.`);
    expect(asked.map(([method]) => method)).not.toContain(needs);
    expect(page.querySelector('[role="alert"]')).toBeNull();
  },
);
