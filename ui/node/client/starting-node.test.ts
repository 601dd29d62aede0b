import { expect, it, onTestFinished, vi } from 'vitest';
import { toStartingNode } from './starting-node.ts';
import { tapNode } from './tap-node.ts';
import { Traffic } from './traffic.svelte.ts';

const known = { chainName: 'Fake', genesisHash: '0x00' };
const info = { ...known, bestHash: '0x07', bestNumber: 7, finalizedNumber: 5 };

const open = (own: object = {}) => {
  const sent: string[] = [];
  const opening =
    Promise.withResolvers<Parameters<typeof toStartingNode>[0] extends Promise<infer N> ? N : never>();
  const closers: (() => void)[] = [];
  const connection = {
    request: async (method: string) => sent.push(method),
    subscribe: async (method: string, _params: unknown, onItem: (item: unknown) => void) => {
      sent.push(method);
      onItem('first');
      return 'id';
    },
    unsubscribe: async (method: string, id: string) => sent.push(`${method} ${id}`),
    isOpen: () => true,
    onClose: (tell: () => void) => {
      closers.push(tell);
      return () => closers.splice(closers.indexOf(tell), 1);
    },
  };
  const node = {
    info: { ...info, ...own },
    connection,
    status: async () => ({ ...info, ...own }),
    stop: async () => sent.push('stop'),
  };
  return {
    node: toStartingNode(opening.promise, known),
    sent,
    closers,
    run: () => opening.resolve({ node } as never),
    fail: (fault: unknown) => opening.reject(fault),
  };
};

it('has the base of a fork as soon as it runs, and the new one after a rebase', async () => {
  const fork = { base: { hash: '0x05', number: 5 } };
  const { node, run } = open(fork);
  expect(node.base()).toBeNull();
  run();
  await node.starting;
  expect(node.base()).toEqual({ hash: '0x05', number: 5 });
  fork.base = { hash: '0x09', number: 9 };
  await node.status();
  expect(node.with({}).base()).toEqual({ hash: '0x09', number: 9 });
});

it('sends what waited, in order, once it runs', async () => {
  const { node, sent, run } = open();
  expect(node.info).toMatchObject(known);
  const items: unknown[] = [];
  const asked = node.request('chain_getHeader', []);
  const { opened, close } = node.subscribe(
    'chain_subscribeNewHeads',
    [],
    'chain_unsubscribeNewHeads',
    (item) => items.push(item),
  );
  const status = node.status();
  await Promise.resolve();
  expect(sent).toEqual([]);
  run();
  await asked;
  await opened;
  expect(await node.starting).toEqual(info);
  expect(await status).toEqual(info);
  expect(sent).toEqual(['chain_getHeader', 'chain_subscribeNewHeads']);
  expect(items).toEqual(['first']);
  close();
  await expect.poll(() => sent.at(-1)).toBe('chain_unsubscribeNewHeads id');
});

it('rejects what waits if the node does not start', async () => {
  const { node, sent, fail } = open();
  const asked = node.request('chain_getHeader', []);
  const { opened } = node.subscribe(
    'chain_subscribeNewHeads',
    [],
    'chain_unsubscribeNewHeads',
    () => undefined,
  );
  const fault = new Error('No space');
  fail(fault);
  await expect(asked).rejects.toBe(fault);
  await expect(opened).rejects.toBe(fault);
  await expect(node.stop()).rejects.toBe(fault);
  expect(sent).toEqual([]);
});

it('reports a lost connection, unless it was asked not to', async () => {
  const { node, closers, run } = open();
  const reports: string[] = [];
  node.onDown(() => reports.push('down'));
  const leave = node.onDown(() => reports.push('left'));
  leave();
  run();
  await expect.poll(() => closers.length).toBe(1);
  closers[0]?.();
  expect(reports).toEqual(['down']);
});

it('the time of a call begins when the node takes it', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('requestAnimationFrame', () => 0);
  onTestFinished(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  const { node, run } = open();
  const traffic = new Traffic();
  const tapped = tapNode(node, traffic, true);
  const asked = tapped.request('system_name', []);
  const { opened } = tapped.subscribe('a_watch', [], 'a_unwatch', () => undefined);
  vi.advanceTimersByTime(5000);
  const takenAt = Date.now();
  run();
  await Promise.all([asked, opened]);
  for (const { ms, atMs } of traffic.exchanges) expect([ms, atMs]).toEqual([0, takenAt]);
});
