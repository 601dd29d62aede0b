import { flushSync } from 'svelte';
import { afterEach, expect, it, vi } from 'vitest';
import CopyAs from '../../panels/rpc/CopyAs.svelte';
import { mountIn, openContext, press } from '../../testing/open-page.ts';
import CopyButton from './CopyButton.svelte';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const openButton = () => {
  const page = mountIn(openContext(() => null).context, CopyButton, { text: 'abc', label: 'hash' });
  const button = page.querySelector('button');
  const copy = async () => {
    button?.click();
    await vi.advanceTimersByTimeAsync(1);
    flushSync();
  };
  return { copy, button, status: () => page.querySelector('[aria-live]')?.textContent };
};

it('announces a copy once, outside the button, whose name does not change', async () => {
  vi.useFakeTimers();
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  const { copy, button, status } = openButton();
  expect(status()).toBe('');
  await copy();
  expect(write).toHaveBeenCalledWith('abc');
  expect([status(), button?.ariaLabel, button?.textContent?.trim()]).toEqual(['Copied', 'Copy hash', '']);
  await vi.advanceTimersByTimeAsync(1000);
  // The second copy's announcement is not cleared by the first copy's timer.
  await copy();
  await vi.advanceTimersByTimeAsync(1000);
  expect(status()).toBe('Copied');
  await vi.advanceTimersByTimeAsync(1000);
  expect([status(), button?.ariaLabel]).toEqual(['', 'Copy hash']);
});

it('reports on a page without a clipboard that nothing was copied', async () => {
  vi.useFakeTimers();
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue(undefined as never);
  const { copy, status } = openButton();
  await copy();
  expect(status()).toMatch(/^Not copied/);
});

it('clears the announcement when the call changes', async () => {
  vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  let method = $state('system_name');
  const props = {
    get calls() {
      return [{ method, params: [], info: null }];
    },
  };
  const page = mountIn(openContext(() => null).context, CopyAs, props);
  const status = () => page.querySelector('[role="status"]')?.textContent;
  press(page, 'Copy as…');
  page.querySelector<HTMLElement>('[role="option"]')?.click();
  await vi.waitFor(() => expect(status()).toMatch(/^Copied as /));
  method = 'system_chain';
  flushSync();
  expect(status()).toBe('');
});
