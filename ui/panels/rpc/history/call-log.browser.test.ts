import { expect, it, onTestFinished, vi } from 'vitest';
import { CallLog } from './call-log.svelte.ts';

it('a window that closes keeps the calls that another one has stored since', () => {
  const genesis = '0xfeed';
  const [one, other] = [new AbortController(), new AbortController()];
  onTestFinished(() => localStorage.removeItem(`tabnode.calls.${genesis}`));
  const first = new CallLog(genesis, one.signal);
  first.add('system_name', '');
  dispatchEvent(new Event('pagehide'));
  const second = new CallLog(genesis, other.signal);
  second.add('system_chain', '');
  other.abort();
  one.abort();
  const kept = new CallLog(genesis, AbortSignal.abort()).entries;
  expect(kept.map(({ method }) => method)).toEqual(['system_chain', 'system_name']);
});

it('tabs of a chain share their calls: none of them is lost, and one that is removed leaves every tab, unless it is a favorite there', async () => {
  const key = 'tabnode.calls.0xcafe';
  onTestFinished(() => localStorage.removeItem(key));
  const [first, second] = [new AbortController(), new AbortController()];
  const [one, other] = [first, second].map(({ signal }) => new CallLog('0xcafe', signal)) as [
    CallLog,
    CallLog,
  ];
  const tell = () => {
    dispatchEvent(new Event('pagehide'));
    dispatchEvent(new StorageEvent('storage', { key, newValue: localStorage.getItem(key) }));
  };
  const ids = (log: CallLog) => log.entries.map(({ id }) => id);
  const name = one.add('system_name', '');
  const running = one.add('dev_newBlock', '');
  one.update(name, { state: 'ok' });
  tell();
  expect(ids(other)).toEqual([name]);
  const chain = other.add('system_chain', '');
  other.update(chain, { state: 'ok' });
  one.remove(name);
  await vi.waitFor(() => expect(ids(other)).toEqual([chain]));
  tell();
  expect(ids(one).toSorted()).toEqual([chain, running].toSorted());
  other.update(chain, { starred: true });
  const health = other.add('system_health', '');
  other.update(health, { state: 'ok' });
  tell();
  one.clear();
  await vi.waitFor(() => expect(ids(other)).toEqual([chain]));
  expect(ids(one)).toEqual([running]);
  first.abort();
  second.abort();
  const kept = new CallLog('0xcafe', AbortSignal.abort());
  // A tab that shows the result of a call finds it by its id.
  expect(kept.find(chain)?.method).toBe('system_chain');
});

it('notifications of a subscription are stored when the window closes, not one by one', () => {
  vi.useFakeTimers();
  const write = vi.spyOn(Storage.prototype, 'setItem');
  const ended = new AbortController();
  onTestFinished(() => {
    vi.useRealTimers();
    write.mockRestore();
    localStorage.removeItem('tabnode.calls.0xf00d');
  });
  const log = new CallLog('0xf00d', ended.signal);
  const metadata = log.add('state_getMetadata', '');
  log.update(metadata, { state: 'ok', answer: { kind: 'whole', value: 'm'.repeat(100_000) } });
  const heads = log.add('chain_subscribeNewHeads', '');
  log.update(heads, { state: 'open' });
  vi.advanceTimersByTime(1000);
  expect(write).toHaveBeenCalledOnce();
  for (let count = 1; count <= 100; count += 1) {
    log.note(heads, { count, answer: { kind: 'whole', value: count } });
    vi.advanceTimersByTime(100);
  }
  expect(log.find(heads)?.count).toBe(100);
  expect(write).toHaveBeenCalledOnce();
  ended.abort();
  expect(write).toHaveBeenCalledTimes(2);
  expect(new CallLog('0xf00d', AbortSignal.abort()).entries[0]).toMatchObject({ state: 'ok', count: 100 });
});
