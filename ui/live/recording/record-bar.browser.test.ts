import { expect, it, onTestFinished, vi } from 'vitest';
import { mountIn, openContext, press } from '../../testing/open-page.ts';
import { liveState } from '../live-state.svelte.ts';
import RecordBar from './RecordBar.svelte';

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
  const { recorder } = liveState(context);
  Object.defineProperty(recorder, 'count', { value: 2 });
  recorder.text = () => 'two lines';
  const page = mountIn(context, RecordBar, { recorder, onlook: () => undefined });
  press(page, 'Save 2 messages');
  const [link] = click.mock.contexts as HTMLAnchorElement[];
  expect(link?.download).toMatch(/^tabnode-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.log$/);
  expect([await blobs[0]?.text(), link?.href]).toEqual(['two lines', 'blob:recording']);
  expect([make.mock.calls.length, end.mock.calls]).toEqual([1, [['blob:recording']]]);
});
