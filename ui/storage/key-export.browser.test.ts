import { expect, it, vi } from 'vitest';
import { mountIn, openContext, press, settle } from '../testing/open-page.ts';
import KeyExport from './KeyExport.svelte';

it('an export says how many keys it has read, and one that was stopped saves no file', async () => {
  const save = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  const pages: PromiseWithResolvers<string[]>[] = [];
  const { context } = openContext((method, [keys]) => {
    if (method === 'state_queryStorageAt')
      return [{ block: '0x00', changes: (keys as string[]).map((key) => [key, '0x01']) }];
    const page = Promise.withResolvers<string[]>();
    pages.push(page);
    return page.promise;
  });
  const props = { prefix: '0xab', name: 'System.Account', hash: `0x${'11'.repeat(32)}` };
  const page = mountIn(context, KeyExport, props);
  const pageOf = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => `0xab${String(from + index).padStart(6, '0')}`);
  const readFirst = async (of: number) => {
    press(page, 'Export');
    await vi.waitFor(() => expect(pages.length).toBe(of));
    pages.at(-1)?.resolve(pageOf(0, 500));
    await vi.waitFor(() => expect(page.textContent).toContain('Exporting: 500 read'));
    await vi.waitFor(() => expect(pages.length).toBe(of + 1));
  };
  await readFirst(1);
  press(page, 'Stop export');
  pages.at(-1)?.resolve(pageOf(500, 500));
  await settle();
  await settle();
  expect([save.mock.calls.length, pages.length]).toEqual([0, 2]);
  expect(page.textContent).not.toContain('failed');
  await readFirst(3);
  pages.at(-1)?.resolve(pageOf(500, 3));
  await vi.waitFor(() => expect(save).toHaveBeenCalledOnce());
});
