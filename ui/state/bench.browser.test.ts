import { expect, it } from 'vitest';
import { openBench, settle } from '../testing/open-page.ts';
import { createBench } from './bench.ts';
import { saveAtEnd } from './lasting.svelte.ts';

/** A node that never responds. */
const node = {
  info: {},
  isFresh: false,
  request: () => new Promise(() => undefined),
  status: () => new Promise(() => undefined),
  with: (change: object) => ({ ...node, ...change }),
};

const leavePage = (): boolean => dispatchEvent(new Event('pagehide'));

it('ends kept state when the bench is closed: saves it once more and removes its listeners', () => {
  const bench = createBench(node as never, null);
  const saved: string[] = [];
  const keep = (name: string) =>
    bench.keep(name, (ended) => {
      saveAtEnd(ended, () => saved.push(name));
      return { ended };
    });
  const drafts = keep('storage drafts');
  const calls = keep('rpc');
  expect(keep('rpc')).toBe(calls);
  leavePage();
  expect(saved).toEqual(['storage drafts', 'rpc']);
  bench.close();
  expect([drafts.ended.aborted, calls.ended.aborted]).toEqual([true, true]);
  expect(saved).toEqual(['storage drafts', 'rpc', 'storage drafts', 'rpc']);
  leavePage();
  expect(saved.length).toBe(4);
});

it('forgets the state of one panel without affecting others', () => {
  const bench = createBench(node as never, null);
  const send = bench.keep('send.draft', (ended) => ({ ended }));
  const live = bench.keep('live', (ended) => ({ ended }));
  bench.forget('send');
  expect([send.ended.aborted, live.ended.aborted]).toEqual([true, false]);
  bench.close();
  expect(live.ended.aborted).toBe(true);
});

it('logs calls of the typed client as traffic, and ends a subscription with its signal', async () => {
  const { bench, asked, ended, subscribers } = openBench((method) =>
    method === 'rpc_methods' ? { methods: ['a'] } : null,
  );
  expect(await bench.asked.rpc.rpc_methods()).toEqual({ methods: ['a'] });
  expect(asked).toEqual([['rpc_methods']]);
  expect(bench.traffic.last).toMatchObject({ method: 'rpc_methods', state: 'ok' });
  const stop = new AbortController();
  const heard: unknown[] = [];
  await bench.asked.rpc.state_subscribeStorage({ keys: ['0x01'] }, (item) => heard.push(item), {
    signal: stop.signal,
  });
  subscribers.get('state_subscribeStorage')?.('one');
  stop.abort();
  subscribers.get('state_subscribeStorage')?.('two');
  await settle();
  expect(heard).toEqual(['one']);
  expect(ended).toEqual(['state_unsubscribeStorage']);
  expect(bench.traffic.last).toMatchObject({ method: 'state_subscribeStorage', state: 'closed' });
});
