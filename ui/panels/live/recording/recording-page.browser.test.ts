import { flushSync } from 'svelte';
import { expect, it, onTestFinished, vi } from 'vitest';
import { currentFrame } from '../../../kit/page/frame.ts';
import { openLink } from '../../../kit/page/route.svelte.ts';
import '../../../tokens.css';
import '../../../base.css';
import '../../../panels.css';
import { createPageContext } from '../../../node/page-context.ts';
import { mountIn, openContext, openNode, press, settle, widen } from '../../../testing/open-page.ts';
import LivePanel from '../LivePanel.svelte';
import { liveState } from '../live-state.svelte.ts';
import RecordBar from './RecordBar.svelte';
import RecordingPage from './RecordingPage.svelte';

const line = '1-2026-01-01T00:00:00.000Z->>-{"jsonrpc":"2.0","id":1,"method":"system_name","params":[]}\n';

it('what was recorded is offered to view; there is no recording only if there is none', () => {
  const { context } = openContext(() => null);
  const live = liveState(context);
  const page = mountIn(context, RecordingPage, { live });
  expect(page.textContent).toContain('No recording');
  Object.defineProperty(live.recorder, 'count', { value: 2 });
  const stopped = mountIn(context, RecordingPage, { live });
  expect(stopped.textContent).not.toContain('No recording');
  expect(stopped.textContent).toMatch(/2 messages recorded\s*View/);
  live.recorder.text = () => line;
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

it('is connected before it is asked to record, so that what follows at once is recorded too', async () => {
  const { context } = openContext(() => null);
  const { recorder } = liveState(context);
  const subscribe = vi.fn(async () => '1');
  const close = vi.fn();
  const connect = vi.spyOn(context.node, 'connect');
  connect.mockImplementation(async () => {
    await new Promise((resolve) => setTimeout(resolve));
    return { subscribe, request: async () => true, close } as never;
  });
  const bar = mountIn(context, RecordBar, { recorder, onstop: () => void recorder.stop() });
  await settle();
  press(bar, /Record/);
  // Without waiting for the node.
  for (let turn = 0; turn < 3; turn += 1) await null;
  expect([connect.mock.calls.length, subscribe.mock.calls.length]).toEqual([1, 1]);
  await settle();
  expect(close).not.toHaveBeenCalled();
  await recorder.stop();
  await settle();
  // Ready for the next one.
  expect([connect.mock.calls.length, close.mock.calls.length]).toEqual([2, 1]);
});

it('what was recorded outlives its node, and the page says why the recording ended; a reload is asked about first', async () => {
  let hear: (batch: unknown) => void = () => undefined;
  const line = {
    subscribe: async (_method: string, _params: unknown, listen: typeof hear) => {
      hear = listen;
      return '1';
    },
    request: async () => true,
    close: () => undefined,
  };
  const node = openNode(() => null).node.with({ connect: async () => line as never });
  const session = { notice: null };
  const open = () => {
    const page = createPageContext(node, session as never);
    return { page, live: liveState(page) };
  };
  const first = open();
  await first.live.recorder.start();
  hear({ items: [{ kind: 'request', connection: 1, atMs: 0, length: 2, text: '{}' }], dropped: 0 });
  const leaves = () => dispatchEvent(new Event('beforeunload', { cancelable: true }));
  expect(leaves()).toBe(false);
  first.page.close();
  await settle();
  const { page, live } = open();
  onTestFinished(page.close);
  expect([live.recorder.on, live.recorder.count, leaves()]).toEqual([false, 1, true]);
  expect(session.notice).toContain('The recording ended with its node.');
  const shown = mountIn(page, LivePanel, {});
  expect(shown.querySelector('[aria-label="Recording"]')?.textContent).toContain('ended with its node');
});

it('a recording is saved as a file named after its time', async () => {
  const blobs: Blob[] = [];
  const make = vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    blobs.push(blob as Blob);
    return 'blob:recording';
  });
  const end = vi.spyOn(URL, 'revokeObjectURL');
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  onTestFinished(() => void vi.restoreAllMocks());
  const { context } = openContext(() => null);
  const live = liveState(context);
  const { recorder } = live;
  Object.defineProperty(recorder, 'count', { value: 2 });
  recorder.text = () => 'two lines';
  press(mountIn(context, RecordingPage, { live }), 'Save');
  const [link] = click.mock.contexts as HTMLAnchorElement[];
  expect(link?.download).toMatch(/^tabnode-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.log$/);
  expect([await blobs[0]?.text(), link?.href]).toEqual(['two lines', 'blob:recording']);
  expect([make.mock.calls.length, end.mock.calls]).toEqual([1, [['blob:recording']]]);
});

it('on a phone, a recording has two rows of controls below the tabs, which have one with the button beside them', async () => {
  const { context } = openContext(() => ({ methods: [] }));
  const live = liveState(context);
  openLink('#/live/traffic');
  const page = mountIn(context, LivePanel, {});
  widen(page, 390);
  Object.defineProperty(live.recorder, 'count', { value: 2 });
  Object.defineProperty(live.recorder, 'on', { value: true, writable: true });
  live.recorder.text = () => line;
  live.recorder.stop = async () => {
    Object.assign(live.recorder, { on: false });
  };
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'r', bubbles: true }));
  await settle();
  expect(currentFrame().address.read()).toBe('#/live/recording');
  const rows = (of: string) => {
    const boxes = [...page.querySelectorAll(of)].map((one) => one.getBoundingClientRect());
    return new Set(
      boxes.filter(({ width }) => width > 0).map(({ top, bottom }) => Math.round((top + bottom) / 2)),
    );
  };
  const controls = ':is(button, input:not(.unseen), select, label, .count, .ellipsis)';
  expect(rows(`.bar > nav, .bar ${controls}`).size).toBe(1);
  expect(rows(`.page-parts ${controls}:not(section ${controls})`).size).toBe(2);
});
