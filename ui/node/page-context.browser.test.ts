import { expect, it } from 'vitest';
import { saveAtEnd } from '../kit/page/disposable.svelte.ts';
import { openContext, settle } from '../testing/open-page.ts';
import { createPageContext } from './page-context.ts';

/** A node that never responds. */
const node = {
  info: {},
  isFresh: false,
  request: () => new Promise(() => undefined),
  status: () => new Promise(() => undefined),
  with: (change: object) => ({ ...node, ...change }),
};

const leavePage = (): boolean => dispatchEvent(new Event('pagehide'));

it('ends kept state when the context is closed: saves it once more and removes its listeners', () => {
  const context = createPageContext(node as never, null);
  const saved: string[] = [];
  const keep = (name: string) =>
    context.keep(name, (ended) => {
      saveAtEnd(ended, () => saved.push(name));
      return { ended };
    });
  const drafts = keep('storage drafts');
  const calls = keep('rpc');
  expect(keep('rpc')).toBe(calls);
  leavePage();
  expect(saved).toEqual(['storage drafts', 'rpc']);
  context.close();
  expect([drafts.ended.aborted, calls.ended.aborted]).toEqual([true, true]);
  expect(saved).toEqual(['storage drafts', 'rpc', 'storage drafts', 'rpc']);
  leavePage();
  expect(saved.length).toBe(4);
});

it('forgets the state of one panel without affecting others', () => {
  const context = createPageContext(node as never, null);
  const send = context.keep('send.draft', (ended) => ({ ended }));
  const live = context.keep('live', (ended) => ({ ended }));
  context.forget('send');
  expect([send.ended.aborted, live.ended.aborted]).toEqual([true, false]);
  context.close();
  expect(live.ended.aborted).toBe(true);
});

it('logs calls of the typed client as traffic, and ends a subscription with its signal', async () => {
  const { context, asked, ended, subscribers } = openContext((method) =>
    method === 'rpc_methods' ? { methods: ['a'] } : null,
  );
  expect(await context.userNode.rpc.rpc_methods()).toEqual({ methods: ['a'] });
  expect(asked).toEqual([['rpc_methods']]);
  expect(context.traffic.last).toMatchObject({ method: 'rpc_methods', state: 'ok' });
  const stop = new AbortController();
  const items: unknown[] = [];
  await context.userNode.rpc.state_subscribeStorage({ keys: ['0x01'] }, (item) => items.push(item), {
    signal: stop.signal,
  });
  subscribers.get('state_subscribeStorage')?.('one');
  stop.abort();
  subscribers.get('state_subscribeStorage')?.('two');
  await settle();
  expect(items).toEqual(['one']);
  expect(ended).toEqual(['state_unsubscribeStorage']);
  expect(context.traffic.last).toMatchObject({ method: 'state_subscribeStorage', state: 'closed' });
});
