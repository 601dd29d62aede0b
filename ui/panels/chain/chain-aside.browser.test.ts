import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import '../../tokens.css';
import { openLink } from '../../kit/page/route.svelte.ts';
import { mountIn, openContext, widen } from '../../testing/open-page.ts';
import { useRealNode } from '../../testing/real-node.ts';
import ChainAside from './ChainAside.svelte';
import ChainPanel from './ChainPanel.svelte';

const real = useRealNode();

it('an address that names no extrinsic of a block says so, and leads to the block', () => {
  const { context } = openContext(() => new Promise(() => undefined));
  openLink('#/chain/1/x');
  const props = { page: 'block', parts: ['1', 'x'], details: null, standing: null, slotMs: 6000 };
  const page = mountIn(context, ChainAside, props as never);
  expect(page.querySelector('h2')?.textContent).toBe('There is no page “chain/1/x”');
  expect(page.querySelector('a')?.getAttribute('href')).toBe('#/chain/1');
});

it('a node without controls leaves no empty pane: it says what will be there, and why there are no controls', () => {
  const { context } = openContext(() => new Promise(() => undefined));
  const node = Object.assign(Object.create(context.node), { offers: () => false });
  const props = { page: 'none', parts: [], details: null, standing: null, slotMs: 6000 };
  const page = mountIn({ ...context, node }, ChainAside, props as never);
  expect(page.querySelector('h2')?.textContent).toBe('Pick a block');
  expect(page.textContent).toContain('Its extrinsics, events and header appear here.');
  expect(page.textContent).toContain('dev_newBlock');
});

it('a narrow page leaves the controls as it leaves other pages; next to the blocks there is nothing to close', () => {
  const { context } = openContext(() => new Promise(() => undefined));
  const onclose = vi.fn();
  const chainActions = { offers: new Set(), actions: { busy: null } };
  const props = { page: 'control', parts: ['control'], chainActions, slotMs: 6000, onclose };
  const node = Object.assign(Object.create(context.node), { offers: () => true });
  const page = mountIn({ ...context, node }, ChainAside, props as never);
  const close = [...page.querySelectorAll('button')].find(({ textContent }) => textContent.includes('Close'));
  widen(page, 390);
  expect(close?.checkVisibility()).toBe(true);
  close?.click();
  expect(onclose).toHaveBeenCalledOnce();
  widen(page, 1200);
  expect(close?.checkVisibility()).toBe(false);
});

it('the tab of the controls is marked while they are shown: next to the list without being asked for, too', async () => {
  const { context } = openContext((method) =>
    method === 'rpc_methods' ? { methods: ['dev_newBlock'] } : new Promise(() => undefined),
  );
  const page = mountIn(context, ChainPanel, {});
  const tab = () => page.querySelector('nav [aria-current]')?.textContent;
  widen(page, 1200);
  await vi.waitFor(() => expect(tab()).toBe('Control'));
  widen(page, 390);
  await vi.waitFor(() => expect(tab()).toBeUndefined());
  context.route.go('chain', 'epoch');
  await vi.waitFor(() => expect(tab()).toBe('Consensus'));
});

it('the keys of the list call nothing that the node does not have', async () => {
  await real.request('dev_setFinality', ['manual']);
  await real.request('dev_newBlock', []);
  const { context, asked } = openContext((method, params) => real.request(method, params));
  openLink('#/chain');
  let native = true;
  const node = context.node.with({ offers: () => !native });
  const page = mountIn({ ...context, node }, ChainPanel, {});
  // The best block can be finalized only after the list knows how it stands.
  await vi.waitFor(() => expect(page.querySelector('[data-block].best.selected')).not.toBeNull());
  const tree = page.querySelector<HTMLElement>('[data-tree]');
  const press = () => {
    tree?.focus();
    for (const key of ['s', 'b', 'f'])
      tree?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    flushSync();
    const done = asked.map(([method]) => method).filter((method) => /newBlock|createBlock/.test(method));
    return [...done, page.querySelector('dialog') === null ? '' : 'dialog'];
  };
  expect(press()).toEqual(['']);
  native = false;
  expect(press()).toEqual(['engine_createBlock', 'dev_newBlock', 'dialog']);
});
