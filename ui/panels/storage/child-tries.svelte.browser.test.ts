import { flushSync } from 'svelte';
import { expect, it } from 'vitest';
import { mountIn, openContext, press, settle } from '../../testing/open-page.ts';
import ChildTries from './ChildTries.svelte';

const keysOf = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `0x${String(from + index).padStart(8, '0')}`);

it('reads one page for two clicks on More, and each key once', async () => {
  const pages: PromiseWithResolvers<string[]>[] = [];
  const { context } = openContext((method, params) => {
    if (method === 'childstate_getStorageEntries') return (params[1] as string[]).map(() => '0x01');
    if (method === 'childstate_getStorage') return '0x01';
    const page = Promise.withResolvers<string[]>();
    pages.push(page);
    return page.promise;
  });
  const page = mountIn(context, ChildTries, { hash: null, id: '0xaa' });
  pages[0]?.resolve(keysOf(0, 200));
  await settle();
  await settle();
  expect(page.querySelectorAll('li').length).toBe(200);
  press(page, 'More');
  press(page, 'More');
  expect(pages.length).toBe(2);
  pages[1]?.resolve(keysOf(200, 3));
  await settle();
  await settle();
  expect(page.querySelectorAll('li').length).toBe(203);
});

it('does not mix the keys of two child tries', async () => {
  const pages = new Map<unknown, PromiseWithResolvers<string[]>>();
  const { context } = openContext((method, params) => {
    if (method === 'childstate_getStorageEntries') return (params[1] as string[]).map(() => '0x01');
    if (method === 'childstate_getStorage') return '0x01';
    const page = Promise.withResolvers<string[]>();
    pages.set(params[0], page);
    return page.promise;
  });
  const props = $state({ hash: null, id: '0xaa' });
  const page = mountIn(context, ChildTries, props);
  props.id = '0xbb';
  flushSync();
  pages.get('0xbb')?.resolve(keysOf(0, 2));
  await settle();
  pages.get('0xaa')?.resolve(keysOf(50, 5));
  await settle();
  await settle();
  expect(page.querySelectorAll('li').length).toBe(2);
});
