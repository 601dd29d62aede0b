import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import { mountIn, openContext, press, settle } from '../../testing/open-page.ts';
import { liveState } from '../live-state.svelte.ts';
import RecordingPage from './RecordingPage.svelte';

it('what was recorded is offered to view; there is no recording only if there is none', () => {
  const { context } = openContext(() => null);
  const live = liveState(context);
  const page = mountIn(context, RecordingPage, { live });
  expect(page.textContent).toContain('No recording');
  Object.defineProperty(live.recorder, 'count', { value: 2 });
  const stopped = mountIn(context, RecordingPage, { live });
  expect(stopped.textContent).not.toContain('No recording');
  expect(stopped.textContent).toMatch(/2 messages recorded\s*View/);
  live.recorder.text = () =>
    '1-2026-01-01T00:00:00.000Z->>-{"jsonrpc":"2.0","id":1,"method":"system_name","params":[]}\n';
  press(stopped, 'View');
  flushSync();
  expect(stopped.querySelector('[aria-label="Recorded traffic"]')).not.toBeNull();
});

it('says that it records once the node reports its traffic; before, a stop is not told as an empty recording', async () => {
  const { context } = openContext(() => null);
  const live = liveState(context);
  const reports = Promise.withResolvers<string>();
  vi.spyOn(context.node, 'connect').mockResolvedValue({
    subscribe: () => reports.promise,
    request: async () => true,
    close: () => undefined,
  } as never);
  const page = mountIn(context, RecordingPage, { live });
  const begins = () => page.textContent.includes('Recording in progress');
  void live.recorder.start();
  await settle();
  expect(begins()).toBe(false);
  await live.recorder.stop();
  expect(live.recorder.fault).toBeNull();
  void live.recorder.start();
  reports.resolve('1');
  await settle();
  expect(begins()).toBe(true);
  await live.recorder.stop();
  expect(live.recorder.fault).toMatch(/^No messages were sent/);
});
