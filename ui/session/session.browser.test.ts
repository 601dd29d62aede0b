import { openDB } from 'idb';
import { flushSync } from 'svelte';
import { expect, it, onTestFinished } from 'vitest';
import type { UiNode } from '../client/ui-node.ts';
import { openNode } from '../testing/open-page.ts';
import { ChainBook } from './chain-book.svelte.ts';
import { Session } from './session.svelte.ts';

it('a chain that this page closes is not said to be closed by another tab, however long its node takes', async () => {
  const stopped = Promise.withResolvers<void>();
  const node = {
    isElsewhere: false,
    status: () => new Promise(() => undefined),
    onDown: () => () => undefined,
    stop: () => stopped.promise,
    with: () => node,
  } as unknown as UiNode;
  const book = new ChainBook();
  const session = new Session(async () => node, book);
  const [entry] = book.entries;
  if (entry === undefined) throw new Error('no chain');
  await session.start(entry);
  // A page of its own hears what the session says last.
  const heard = Promise.withResolvers<void>();
  const channel = new BroadcastChannel('tabnode.chains');
  onTestFinished(() => channel.close());
  channel.onmessage = () => heard.resolve();
  const closed = session.close();
  await heard.promise;
  expect(session.phase.kind).toBe('running');
  stopped.resolve();
  await closed;
  flushSync();
  expect(session.phase.kind).toBe('none');
});

it('a chain that does not start leaves nothing behind, and the open chain runs on', async () => {
  const { node } = openNode(() => null);
  const session = new Session(async (id) => {
    if (id === 'development') return node;
    (await openDB(id)).close();
    throw new Error('Unknown preset: absent');
  }, new ChainBook());
  const [first] = session.book.entries;
  if (first === undefined) throw new Error('no chain');
  await session.start(first);
  const { phase } = session;
  const origin = { kind: 'wasm', preset: 'absent' } as const;
  const made = session.create('Mine', origin, { wasm: new Uint8Array(4) });
  await expect(made).rejects.toThrow('Unknown preset: absent');
  expect(session.phase).toBe(phase);
  expect(session.book.entries).toEqual([first]);
  expect((await indexedDB.databases()).map(({ name }) => name)).not.toContain('mine');
  expect(await session.book.payload({ ...first, id: 'mine', origin })).toBeNull();
});
