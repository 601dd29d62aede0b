import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import { openContext } from '../../testing/open-page.ts';
import { LiveKey } from './storage-view.svelte.ts';

it('a value that was throttled until nobody reads the key is gone, and not the next reader’s first value', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  try {
    const { context, subscribers } = openContext(() => null);
    const live = new LiveKey(context.node, '0xab');
    const notify = (hex: string) =>
      subscribers.get('state_subscribeStorage')?.({ block: '0x00', changes: [['0xab', hex]] });
    const seen: unknown[] = [];
    const read = () =>
      $effect.root(() => {
        $effect(() => void seen.push(live.value?.hex ?? null));
      });
    const leave = read();
    flushSync();
    notify('0x01');
    notify('0x02');
    flushSync();
    expect(seen).toEqual([null, '0x01']);
    leave();
    // The subscription ends in a microtask after its last reader.
    await vi.advanceTimersByTimeAsync(1000);
    seen.length = 0;
    const leaveAgain = read();
    flushSync();
    expect(seen).toEqual([null]);
    notify('0x03');
    flushSync();
    expect(seen).toEqual([null, '0x03']);
    leaveAgain();
  } finally {
    vi.useRealTimers();
  }
});
