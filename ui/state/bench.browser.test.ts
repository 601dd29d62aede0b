import { expect, it } from 'vitest';
import { openBench, settle } from '../testing/open-page.ts';
import { createBench } from './bench.ts';
import { saveAtEnd } from './lasting.svelte.ts';

/** A node of which nothing is asked. */
const node = {
  info: {},
  isFresh: false,
  request: () => new Promise(() => undefined),
  status: () => new Promise(() => undefined),
  with: (change: object) => ({ ...node, ...change }),
};

const leavePage = (): boolean => dispatchEvent(new Event('pagehide'));

it('a closed bench ends what it kept: state is saved once more, and no listener stays', () => {
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

it('letting go of one panel leaves the others alone', () => {
  const bench = createBench(node as never, null);
  const send = bench.keep('send.draft', (ended) => ({ ended }));
  const live = bench.keep('live', (ended) => ({ ended }));
  bench.forget('send');
  expect([send.ended.aborted, live.ended.aborted]).toEqual([true, false]);
  bench.close();
  expect(live.ended.aborted).toBe(true);
});

it('what goes by the typed client is in the traffic, and a subscription ends with its signal', async () => {
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
