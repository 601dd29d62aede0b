import { SvelteMap } from 'svelte/reactivity';
import { expect, it, onTestFinished } from 'vitest';
import type { RuntimeMeta } from '../../src/scale/types.ts';
import { AtView } from './at-view.svelte.ts';
import type { PageContext } from './page-context.ts';

const hashOf = (number: number): string => `0x${String(number).padStart(64, '0')}`;

const metaOf = (number: number): RuntimeMeta => ({ number }) as unknown as RuntimeMeta;

/** A context with a controllable URL, and metadata that arrives when the test resolves it. */
const openContext = () => {
  const place = { query: new SvelteMap<string, string>() };
  const waiting = new Map<string, PromiseWithResolvers<RuntimeMeta>>();
  const asked: string[] = [];
  const request = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    asked.push(method);
    const number = Number(params[0] ?? 12);
    return method === 'chain_getBlockHash' ? hashOf(number) : { number: `0x${number.toString(16)}` };
  };
  const at = (hash: string): Promise<RuntimeMeta> => {
    const coming = waiting.get(hash) ?? Promise.withResolvers<RuntimeMeta>();
    waiting.set(hash, coming);
    return coming.promise;
  };
  const context = {
    node: { request },
    metadata: { best: metaOf(12), written: metaOf(12), fault: null, at, of: at },
    route: { place },
  };
  let view = new AtView(context as unknown as PageContext);
  onTestFinished(
    $effect.root(() => {
      view = new AtView(context as unknown as PageContext);
      // Subscribe, as a component would.
      $effect(() => void view.at);
    }),
  );
  return {
    asked,
    view,
    place,
    goTo: (number: number) => place.query.set('at', String(number)),
    leave: () => place.query.delete('at'),
    answer: (number: number) => waiting.get(hashOf(number))?.resolve(metaOf(number)),
    refuse: (number: number) => waiting.get(hashOf(number))?.reject(new Error(`no metadata of #${number}`)),
    /** Waits until pending responses have arrived. */
    settle: () => new Promise((resolve) => setTimeout(resolve)),
  };
};

it('drops metadata that arrives after the block was left', async () => {
  const { view, goTo, answer, settle } = openContext();
  goTo(10);
  await settle();
  goTo(9);
  await settle();
  answer(9);
  await settle();
  expect(view.meta).toEqual(metaOf(9));
  answer(10);
  await settle();
  expect(view.hash).toBe(hashOf(9));
  expect(view.meta).toEqual(metaOf(9));
});

it('drops a late error for a block that was left', async () => {
  const { view, goTo, answer, refuse, settle } = openContext();
  goTo(10);
  await settle();
  goTo(9);
  await settle();
  answer(9);
  refuse(10);
  await settle();
  expect(view.metaFault).toBeNull();
  expect(view.meta).toEqual(metaOf(9));
});

it('keeps a block with its own metadata until another one and its metadata have arrived', async () => {
  const { view, goTo, answer, settle } = openContext();
  goTo(10);
  await settle();
  expect([view.at, view.hash, view.meta]).toEqual([null, null, null]);
  answer(10);
  await settle();
  goTo(9);
  await settle();
  expect([view.at?.hash, view.hash, view.meta]).toEqual([hashOf(10), hashOf(10), metaOf(10)]);
  expect(view.isReading).toBe(true);
  answer(9);
  await settle();
  expect(view.isReading).toBe(false);
  expect([view.at?.hash, view.hash, view.meta]).toEqual([hashOf(9), hashOf(9), metaOf(9)]);
});

it('shows the best block immediately, and keeps it while an old one loads', async () => {
  const { view, goTo, leave, answer, settle } = openContext();
  goTo(10);
  await settle();
  answer(10);
  await settle();
  leave();
  expect([view.at, view.hash, view.meta]).toEqual([null, null, metaOf(12)]);
  await settle();
  goTo(9);
  expect([view.at?.live, view.hash, view.meta]).toEqual([true, null, metaOf(12)]);
  answer(9);
  await settle();
  answer(9);
  await settle();
  expect([view.at?.live, view.hash, view.meta]).toEqual([false, hashOf(9), metaOf(9)]);
});

it('keeps the current data while the same block is reloaded', async () => {
  const { view, asked, goTo, answer, settle } = openContext();
  goTo(10);
  await settle();
  answer(10);
  await settle();
  const before = asked.length;
  view.again();
  expect([view.hash, view.meta]).toEqual([hashOf(10), metaOf(10)]);
  await settle();
  expect(asked.length).toBe(2 * before);
  expect([view.hash, view.meta]).toEqual([hashOf(10), metaOf(10)]);
});

it('does not reload on unrelated changes of the URL', async () => {
  const { view, asked, place, goTo, answer, settle } = openContext();
  goTo(10);
  await settle();
  answer(10);
  await settle();
  const before = [...asked];
  for (const typed of ['s', 'sy', 'sys']) {
    place.query.set('q', typed);
    await settle();
  }
  expect(asked).toEqual(before);
  expect(view.hash).toBe(hashOf(10));
});
