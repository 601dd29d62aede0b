import { expect, it, onTestFinished, vi } from 'vitest';
import { StartCard } from '../panels/chain/first-steps/start-card.svelte.ts';
import { CallLog } from '../panels/rpc/history/call-log.svelte.ts';
import { StateEdits } from '../panels/storage/edits/state-edits.svelte.ts';
import { openNode } from '../testing/open-page.ts';
import { forgetNode, knownNodes, noteNode } from './client/known-nodes.ts';
import { Sent } from './tx/sent.svelte.ts';
import { Signers } from './tx/signers.svelte.ts';

// Lists that all tabs of a chain, or of the page, store together: what one tab removes or changes, another that still shows the
// old list does not bring back with its next change.

/** Two objects over the same stored list, as in two tabs that have not heard of each other's changes yet. */
const open = <T>(create: (ended: AbortSignal) => T) => {
  const ends = [new AbortController(), new AbortController()];
  onTestFinished(() => {
    for (const end of ends) end.abort();
    localStorage.clear();
  });
  const [one, other] = ends.map(({ signal }) => create(signal)) as [T, T];
  const reloaded = () => create(new AbortController().signal);
  return { one, other, reloaded, ends };
};

const sentOf = (ended: AbortSignal): Sent => {
  const { node } = openNode(() => null);
  const metadata = { of: () => Promise.reject(new Error('no metadata')) };
  const refusing = node.with({
    subscribe: () => ({ opened: Promise.reject(new Error('refused')), close: () => undefined }),
  });
  return new Sent(refusing, metadata, 'shared', ended);
};
const stored = (key: string): void => {
  dispatchEvent(new Event('pagehide'));
  dispatchEvent(new StorageEvent('storage', { key, newValue: localStorage.getItem(key) }));
};
const labels = ({ items }: Sent) => items.map(({ label }) => label).toSorted();

it('transactions that one tab clears stay cleared, also after both tabs were reloaded, until it undoes that', async () => {
  const { one, other, reloaded, ends } = open(sentOf);
  await one.submit('0x1004000001', 'first', 'Alice');
  stored('tabnode.sent.shared');
  expect(labels(other)).toEqual(['first']);
  one.clear();
  await vi.waitFor(() => expect(labels(other)).toEqual([]));
  await other.submit('0x1004000002', 'second', 'Alice');
  stored('tabnode.sent.shared');
  expect([labels(one), labels(other), labels(reloaded())]).toEqual([['second'], ['second'], ['second']]);
  one.undoClear();
  stored('tabnode.sent.shared');
  await vi.waitFor(() => expect(labels(other)).toEqual(['first', 'second']));
  other.clear();
  await vi.waitFor(() => expect(labels(one)).toEqual([]));
  ends[0]?.abort();
  ends[1]?.abort();
  expect(labels(reloaded())).toEqual([]);
});

it('a tab that closes without a change of its own does not store its old list', async () => {
  const { one, reloaded, ends } = open(sentOf);
  await one.submit('0x1004000001', 'first', 'Alice');
  dispatchEvent(new Event('pagehide'));
  localStorage.removeItem('tabnode.sent.shared');
  ends[0]?.abort();
  expect(labels(reloaded())).toEqual([]);
});

it('the star and the label that one tab gives a call are those of every tab', async () => {
  const { one, other, reloaded } = open((ended) => new CallLog('0xbeef', ended));
  const id = one.add('system_name', '');
  one.update(id, { state: 'ok' });
  stored('tabnode.calls.0xbeef');
  one.update(id, { starred: true });
  one.update(id, { label: 'mine' });
  const marks = (log: CallLog) => [log.find(id)?.starred, log.find(id)?.label];
  await vi.waitFor(() => expect(marks(other)).toEqual([true, 'mine']));
  other.add('system_chain', '');
  dispatchEvent(new Event('pagehide'));
  expect(marks(reloaded())).toEqual([true, 'mine']);
});

it('edits by hand that one tab forgets or adds are not lost or brought back by another', () => {
  const { one, other, reloaded } = open(() => new StateEdits('shared'));
  const edit = (key: string) => ({ key, before: null, after: '0x01', block: '0xaa' });
  const first = one.add(edit('0x01'));
  const second = other.add(edit('0x02'));
  expect(second.id).not.toBe(first.id);
  one.forget([first]);
  other.add(edit('0x03'));
  expect(reloaded().list.map(({ key }) => key)).toEqual(['0x03', '0x02']);
  // One that has no room in the store stays in its tab.
  other.add({ ...edit('0x04'), after: `0x${'00'.repeat(150_000)}` });
  other.add(edit('0x05'));
  expect(other.list.map(({ key }) => key)).toEqual(['0x05', '0x04', '0x03', '0x02']);
});

it('names of accounts that two tabs give, change and forget are kept', () => {
  const { one, other, reloaded } = open(() => new Signers());
  const [first, second] = [`0x${'01'.repeat(32)}`, `0x${'02'.repeat(32)}`];
  one.name('Zoe', first);
  other.name('Yan', second);
  expect(reloaded().named.map(({ name }) => name)).toEqual(['Zoe', 'Yan']);
  one.forget(first);
  other.name('Xi', second);
  expect(one.named.map(({ name }) => name)).toEqual(['Xi']);
});

it('the first-steps card that one tab closes stays closed, with the steps of all tabs', () => {
  const { one, other, reloaded } = open(() => new StartCard(false));
  one.finish('look');
  one.close();
  other.finish('send');
  expect([reloaded().open, reloaded().done]).toEqual([false, 2]);
  other.show();
  expect(reloaded().open).toBe(true);
});

it('known nodes that one tab forgets are not brought back', () => {
  onTestFinished(() => localStorage.clear());
  noteNode({ id: 'ws://one', chain: 'One' });
  forgetNode('ws://one');
  noteNode({ id: 'ws://two', chain: 'Two' });
  expect(knownNodes().map(({ id }) => id)).toEqual(['ws://two']);
});
