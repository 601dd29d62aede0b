import { expect, it, vi } from 'vitest';
import '../../tokens.css';
import '../../base.css';
import '../../panels.css';
import { encodeJson } from '../../../src/scale/encode.ts';
import { toHex } from '../../../src/scale/hex.ts';
import { storageEntry } from '../../../src/scale/storage.ts';
import { mountIn, openContext, press, settle, widen } from '../../testing/open-page.ts';
import { useRealNode } from '../../testing/real-node.ts';
import { openUnit } from '../../testing/value-props.svelte.ts';
import { stateEdits } from './edits/state-edits.svelte.ts';
import KeyExport from './KeyExport.svelte';
import KeyImport from './KeyImport.svelte';
import KeyRow from './KeyRow.svelte';
import KeyTable from './KeyTable.svelte';

const real = useRealNode();
const account = () => {
  const entry = storageEntry(real.meta, 'System', 'Account');
  if (entry === null) throw new Error('no System.Account');
  return entry;
};

it('on a phone the buttons of a map are in one line, below its heading', async () => {
  const entry = account();
  const keys = Array.from({ length: 200 }, (_, at) => `${entry.prefix}${String(at).padStart(96, '0')}`);
  const { context } = openContext((method) =>
    method === 'state_getKeysPaged' ? keys : new Promise(() => undefined),
  );
  const props = { meta: real.meta, entry, prefix: entry.prefix, keyCount: 0, hash: null };
  const page = mountIn(context, KeyTable, props);
  widen(page, 358);
  await vi.waitFor(() => expect(page.textContent).toContain('the first 200'));
  const buttons = [...page.querySelectorAll('.head button')];
  expect(buttons.map(({ textContent }) => textContent.trim())).toEqual(['Read all', 'Export', 'Import…']);
  expect(new Set(buttons.map((one) => one.getBoundingClientRect().top)).size).toBe(1);
});

it('a row of a map has short amounts, and the exact ones on hover', async () => {
  const entry = account();
  const data = { free: '1000000000000000055', reserved: '0', frozen: '0', flags: '0' };
  const value = { nonce: 0, consumers: 0, providers: 0, sufficients: 0, data };
  const page = mountIn(openUnit(), KeyRow, {
    ...{ meta: real.meta, entry, key: `${entry.prefix}00`, keyCount: 0 },
    value: toHex(encodeJson(real.meta, entry.value, value)),
  });
  const shown = () => page.querySelector<HTMLElement>('.muted');
  await vi.waitFor(() => expect(shown()?.title).toBe('1\u202f000\u202f000.000000000055 UNIT · nonce 0'));
  expect(shown()?.textContent).toBe('1\u202f000\u202f000 UNIT · nonce 0');
});

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

it('an import of keys can be undone: what they contained is written again', async () => {
  const held = new Map<string, string | null>([
    ['0xab01', '0x11'],
    ['0xab03', '0xcc'],
  ]);
  const { context } = openContext((method, [given]) => {
    if (method === 'state_queryStorageAt')
      return [{ block: '0x00', changes: (given as string[]).map((key) => [key, held.get(key) ?? null]) }];
    for (const [key, value] of given as [string, string | null][]) held.set(key, value);
    return '0xbe57';
  });
  const page = mountIn(context, KeyImport, {
    prefix: '0xab',
    name: 'System.Account',
    ondone: () => undefined,
  });
  const field = page.querySelector('input') as HTMLInputElement;
  const files = new DataTransfer();
  files.items.add(new File(['{"0xab01":null,"0xab02":"0x22","0xab03":"0xCC"}'], 'keys.json'));
  field.files = files.files;
  field.dispatchEvent(new Event('change', { bubbles: true }));
  await vi.waitFor(() => expect(page.textContent).toContain('Write 3 keys of System.Account'));
  press(page, 'Write');
  await vi.waitFor(() => expect(page.textContent).toContain('2 keys written, 1 unchanged.'));
  const values = () => ['0xab01', '0xab02', '0xab03'].map((key) => held.get(key));
  expect(values()).toEqual([null, '0x22', '0xcc']);
  expect(stateEdits(context).list.map(({ key, before }) => [key, before])).toEqual([
    ['0xab02', null],
    ['0xab01', '0x11'],
  ]);
  press(page, 'Undo the import');
  await vi.waitFor(() => expect(page.textContent).toContain('2 keys restored.'));
  expect(values()).toEqual(['0x11', null, '0xcc']);
  expect(stateEdits(context).list).toEqual([]);
  expect(page.textContent).not.toContain('Undo the import');
});
