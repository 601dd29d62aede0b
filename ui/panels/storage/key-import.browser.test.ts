import { expect, it, vi } from 'vitest';
import { mountIn, openContext, press } from '../../testing/open-page.ts';
import KeyImport from './KeyImport.svelte';

const keyAt = (at: number): string => `0xab${at.toString(16).padStart(6, '0')}`;

/** A node that holds `count` keys, and refuses the writes whose number, from 1 on, `fails` names. */
const openNode = (count: number, fails: (write: number) => boolean) => {
  const held = new Map<string, string | null>(Array.from({ length: count }, (_, at) => [keyAt(at), '0x01']));
  let writes = 0;
  const { context } = openContext((method, [given]) => {
    if (method === 'state_queryStorageAt')
      return [{ block: '0x00', changes: (given as string[]).map((key) => [key, held.get(key) ?? null]) }];
    if (method !== 'dev_setStorage') return null;
    writes += 1;
    if (fails(writes)) throw new Error('No space left');
    for (const [key, value] of given as [string, string | null][]) held.set(key, value);
    return '0xbe57';
  });
  const page = mountIn(context, KeyImport, { prefix: '0xab', name: 'Map', ondone: () => undefined });
  const importAll = async () => {
    const text = JSON.stringify(Object.fromEntries([...held.keys()].map((key) => [key, '0x02'])));
    const files = new DataTransfer();
    files.items.add(new File([text], 'keys.json'));
    const field = page.querySelector('input') as HTMLInputElement;
    field.files = files.files;
    field.dispatchEvent(new Event('change', { bubbles: true }));
    await vi.waitFor(() => expect(page.textContent).toContain('into the best block'));
    press(page, 'Write');
  };
  const values = () => [...new Set(held.values())];
  const undo = async (says: string) => {
    await vi.waitFor(() => press(page, 'Undo the import'));
    await vi.waitFor(() => expect(page.textContent).toContain(says));
  };
  return {
    page,
    values,
    importAll,
    undo,
    counted: (of: string) => [...held.values()].filter((v) => v === of).length,
  };
};

it('an undo that fails half-way restores the rest when it is pressed again, and never the import', async () => {
  // Three writes are the import; of the undo, the second fails once.
  const { page, values, counted, importAll, undo } = openNode(12_000, (write) => write === 5);
  await importAll();
  await vi.waitFor(() => expect(page.textContent).toContain('12\u202f000 keys written.'));
  expect(values()).toEqual(['0x02']);
  await undo('7\u202f000 keys of 12\u202f000 are left to restore.');
  expect([counted('0x01'), counted('0x02')]).toEqual([5000, 7000]);
  await undo('7\u202f000 keys restored.');
  expect(values()).toEqual(['0x01']);
  expect(page.textContent).not.toContain('Undo the import');
});

it('an import that fails half-way can be undone', async () => {
  const { page, values, counted, importAll, undo } = openNode(8000, (write) => write === 2);
  await importAll();
  await vi.waitFor(() => expect(page.textContent).toContain('No space left'));
  expect(counted('0x02')).toBe(5000);
  await undo('5\u202f000 keys restored.');
  expect(values()).toEqual(['0x01']);
});
