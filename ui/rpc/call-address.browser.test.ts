import { flushSync } from 'svelte';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { currentFrame } from '../page/frame.ts';
import { openLink } from '../page/route.svelte.ts';
import { mountIn, openContext, typeIn } from '../testing/open-page.ts';
import RpcPanel from './RpcPanel.svelte';

beforeEach(() => {
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
