import { expect, it, vi } from 'vitest';
import '../../../tokens.css';
import '../../../base.css';
import TrafficDock from '../../../app/shell/TrafficDock.svelte';
import { openLink } from '../../../kit/page/route.svelte.ts';
import LoadingOverlay from '../../../kit/states/LoadingOverlay.svelte';
import { Actions } from '../../../node/client/action.svelte.ts';
import ActionLine from '../../../node/parts/ActionLine.svelte';
import { mountIn, openContext, press } from '../../../testing/open-page.ts';
import LivePanel from '../LivePanel.svelte';
import { writeSubscriptionCalls } from '../subscriptions/subscriptions.svelte.ts';

/** More digits than a number has. */
const big = 10_000_000_000_000_000_001n;

it('a call with an integer beyond 2^53 is shown with all its digits in Live, and opens in RPC with them', async () => {
  const { context } = openContext((method) => (method === 'rpc_methods' ? { methods: [] } : big));
  openLink('#/live/traffic');
  const page = mountIn(context, LivePanel, {});
  page.style.cssText = 'display: grid; height: 600px';
  await context.userNode.request('dev_fund', ['5G', big]);
  await vi.waitFor(() => expect(page.textContent).toContain('dev_fund'));
  press(page, /dev_fund/);
  await vi.waitFor(() => expect(page.querySelector('article')).not.toBeNull());
  const shown = page.querySelector('article');
  expect(shown?.textContent.split(String(big)).length).toBe(3);
  const links = [...(shown?.querySelectorAll('a') ?? [])].map(({ href }) => decodeURIComponent(href));
  expect(links.join()).toContain(`["5G",${big}]`);
});

it('the console’s call with such an integer opens in the dock', async () => {
  const { context } = openContext(() => big);
  openLink('#/chain');
  localStorage.setItem('tabnode.dock', '280');
  const page = mountIn(context, TrafficDock, {});
  page.style.cssText = 'display: grid; width: 1000px';
  await context.userNode.request('dev_fund', ['5G', big]);
  await vi.waitFor(() => expect(page.querySelector('.list')?.textContent).toContain('dev_fund'));
  press(page.querySelector('.list') as HTMLElement, /dev_fund/);
  await vi.waitFor(() => expect(page.querySelector('article')?.textContent).toContain(String(big)));
  localStorage.removeItem('tabnode.dock');
});

it('a call that succeeded with such an integer is reported as done, with its text', async () => {
  const { context } = openContext(() => ({ free: big }));
  const actions = new Actions(context.node);
  const page = mountIn(context, ActionLine, { actions });
  expect(await actions.run('Funding', 'dev_fund', ['5G', big])).toEqual({ value: { free: big } });
  await vi.waitFor(() => expect(page.querySelector('[role="status"]')?.textContent).toContain(String(big)));
  expect(actions.last?.result).toBe(`{"free":${big}}`);
});

it('subscriptions with such integers are written into the address digit for digit', () => {
  const calls = [{ method: 'state_subscribeStorage', params: [[big]] }];
  expect(writeSubscriptionCalls(calls)).toBe(`[["state_subscribeStorage",[[${big}]]]]`);
});

it('an error in the log leaves the dock, and a reset shows the log again', async () => {
  const { context } = openContext(() => null);
  openLink('#/chain');
  localStorage.setItem('tabnode.dock', '280');
  let isBroken = true;
  const broken = {
    ...context,
    keep: (...[name, create]: Parameters<typeof context.keep>) => {
      if (isBroken && name === 'live.traffic') throw new Error('broken');
      return context.keep(name, create);
    },
  };
  const page = mountIn(broken as typeof context, TrafficDock, {});
  await vi.waitFor(() => expect(page.textContent).toContain('Something went wrong in the log'));
  expect(page.textContent).toContain('All traffic');
  isBroken = false;
  press(page, 'Reset this view');
  await vi.waitFor(() => expect(page.querySelector('[aria-label="Traffic log"]')).not.toBeNull());
  localStorage.removeItem('tabnode.dock');
});

it('an error in a dialog is shown in its place, and can be closed', async () => {
  const { context } = openContext(() => null);
  let closed = 0;
  const load = async () => ({
    default: () => {
      throw new Error('broken');
    },
  });
  const props = { title: 'Search', load, props: {}, onclose: () => (closed += 1) };
  const page = mountIn(context, LoadingOverlay, props as never);
  await vi.waitFor(() => expect(page.querySelector('dialog')?.textContent).toContain('broken'));
  page.querySelector('dialog')?.close();
  await vi.waitFor(() => expect(closed).toBe(1));
});
