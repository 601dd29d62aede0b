import { flushSync } from 'svelte';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { currentFrame, setFrame } from '../../kit/page/frame.ts';
import { openLink } from '../../kit/page/route.svelte.ts';
import { mountIn, openContext, press, typeIn } from '../../testing/open-page.ts';
import RpcPanel from './RpcPanel.svelte';

beforeEach(() => {
  sessionStorage.clear();
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

const openPanel = (link: string) => {
  const { context } = openContext(() => new Promise(() => undefined));
  openLink(link);
  const page = mountIn(context, RpcPanel, {});
  const method = page.querySelector<HTMLInputElement>('input[list]');
  const address = () => decodeURIComponent(currentFrame().address.read());
  const go = (to: string) => {
    openLink(to);
    flushSync();
  };
  return { page, method, address, go };
};

it('typed text goes to the address after a pause, and stays as typed', () => {
  const { method, address } = openPanel('#/rpc/system_name');
  typeIn(method, 'system_chain ');
  expect(address()).toBe('#/rpc/system_name');
  vi.advanceTimersByTime(200);
  flushSync();
  expect([address(), method?.value]).toEqual(['#/rpc/system_chain', 'system_chain ']);
});

it('the call of another tab goes to the address at once, because a reload would replace it by that of the address', () => {
  const { page, method, address } = openPanel('#/rpc/system_name');
  press(page, /\+ Tab/);
  typeIn(method, 'system_chain');
  vi.advanceTimersByTime(200);
  expect(address()).toBe('#/rpc/system_chain');
  document.dispatchEvent(new KeyboardEvent('keydown', { key: '[', bubbles: true }));
  flushSync();
  expect([method?.value, address()]).toEqual(['system_name', '#/rpc/system_name']);
});

it('a navigation takes precedence over text that is not in the address yet', () => {
  const { method, address, go } = openPanel('#/rpc/system_name');
  typeIn(method, 'system_chain');
  go('#/rpc/system_version');
  expect(method?.value).toBe('system_version');
  vi.advanceTimersByTime(1000);
  flushSync();
  expect([address(), method?.value]).toEqual(['#/rpc/system_version', 'system_version']);
});

it('text that was typed just before another panel opened is there on return, and goes to the address', () => {
  const { method, address, go } = openPanel('#/rpc/system_name');
  typeIn(method, 'system_chain');
  go('#/storage');
  vi.advanceTimersByTime(1000);
  expect(address()).toBe('#/storage');
  go('#/rpc/system_name');
  expect(method?.value).toBe('system_chain');
  vi.advanceTimersByTime(200);
  expect(address()).toBe('#/rpc/system_chain');
});

it('the call of a new panel does not go to the address; the list of methods keeps the call', () => {
  const { method, address, go } = openPanel('#/rpc');
  vi.advanceTimersByTime(1000);
  expect([address(), method?.value]).toEqual(['#/rpc', 'system_health']);
  go('#/rpc/system_name?params=[1]&as=json');
  go('#/rpc');
  vi.advanceTimersByTime(1000);
  expect([address(), method?.value]).toEqual(['#/rpc', 'system_name']);
});

it('another method that is typed starts without params; a part of its name keeps them, and its own name', () => {
  const { page, method, address } = openPanel('#/rpc/chain_getBlockHash?params=[7]');
  const write = (name: string) => {
    typeIn(method, name);
    vi.advanceTimersByTime(200);
    flushSync();
    return address();
  };
  expect(write('chain_getBlockHas')).toBe('#/rpc/chain_getBlockHas?params=[7]');
  expect(write('chain_getBlockHash')).toBe('#/rpc/chain_getBlockHash?params=[7]');
  expect(write('system_cha')).toBe('#/rpc/system_cha?params=[7]');
  expect(write('system_chain')).toBe('#/rpc/system_chain');
  expect(page.querySelector('[aria-label="Arguments"]')?.textContent).toContain('No parameters.');
});

it('Back returns to the call before a method that was typed; the parts of its name are no places', () => {
  const { method, address } = openPanel('#/rpc/chain_getBlockHash?params=[7]');
  const places = [address()];
  const own = currentFrame();
  setFrame({
    ...own,
    address: {
      ...own.address,
      open: (link) => {
        places.push(link);
        own.address.open(link);
      },
      replace: (link) => {
        places[places.length - 1] = link;
        own.address.replace(link);
      },
    },
  });
  for (const name of ['system_cha', 'system_chain']) {
    typeIn(method, name);
    vi.advanceTimersByTime(200);
  }
  expect(places).toEqual(['#/rpc/chain_getBlockHash?params=[7]', '#/rpc/system_chain']);
});

it('the form does not hide params that it has no field for', () => {
  const { page } = openPanel('#/rpc/system_chain?params=[7]');
  expect(page.querySelector('[aria-label="Arguments"]')?.textContent).toContain('more parameters than');
  press(page, 'Start over');
  expect(page.querySelector('[aria-label="Arguments"]')?.textContent).toContain('No parameters.');
});
