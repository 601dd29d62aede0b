import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import '../../../tokens.css';
import '../../../base.css';
import '../../../panels.css';
import type { RehearsalReport } from '../../../../src/protocol/rehearsal.ts';
import { toHex } from '../../../../src/scale/hex.ts';
import { loadNextRuntime } from '../../../../test/rigs/platform.ts';
import { useChosenRuntime } from '../../../node/chosen-runtime.svelte.ts';
import { mountIn, openContext, press, settle, typeIn, widen } from '../../../testing/open-page.ts';
import { useRealNode } from '../../../testing/real-node.ts';
import RehearsePage from './RehearsePage.svelte';
import ReportView from './ReportView.svelte';

const real = useRealNode();

const choose = async (page: HTMLElement, bytes: Uint8Array): Promise<void> => {
  const input = page.querySelector<HTMLInputElement>('[type="file"]');
  const files = new DataTransfer();
  files.items.add(new File([bytes as Uint8Array<ArrayBuffer>], 'next.wasm'));
  if (input === null) throw new Error('no field');
  input.files = files.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
  await settle();
};

const open = () => {
  const opened = openContext((method, params) => real.request(method, params));
  const page = mountIn(opened.context, RehearsePage, { hash: null });
  const hear = (item: unknown) => {
    opened.subscribers.get('dev_subscribeRehearsal')?.(item);
    flushSync();
  };
  return { ...opened, page, hear };
};

const textOf = (of: Element | null | undefined): string => of?.textContent.replace(/\s+/g, ' ').trim() ?? '';
const progress = { kind: 'progress', step: 'upgrade', block: 2, keys: 1200, requests: 12, bytes: 34_000 };
const button = (page: HTMLElement, name: string) =>
  [...page.querySelectorAll('button')].find(({ textContent }) => textContent.trim() === name);

const report = async (): Promise<RehearsalReport> => {
  const { promise, resolve } = Promise.withResolvers<RehearsalReport>();
  const code = await loadNextRuntime();
  await real.subscribe('dev_subscribeRehearsal', [toHex(code)], (item) => {
    const { kind, ...rest } = item as { readonly kind: string } & RehearsalReport;
    if (kind === 'report') resolve(rest);
  });
  return promise;
};

it('a file is chosen, its rehearsal is followed and canceled, and the next one is reported', async () => {
  const { page, hear, subscribers, ended } = open();
  expect(button(page, 'Rehearse')?.title).toBe('Choose a runtime file first.');
  await choose(page, await loadNextRuntime());
  await vi.waitFor(() => expect(textOf(page)).toMatch(/Upgrade: tabnode 101 → tabnode 102/));
  // This runtime was built without try-runtime.
  expect(page.querySelector('select')?.disabled).toBe(true);
  press(page, 'Rehearse');
  await settle();
  expect(textOf(page)).toContain('Loading the runtime…');
  hear(progress);
  expect(textOf(page)).toContain('Running on_runtime_upgrade… 1 200 keys read, 12 requests, 34.0 kB,');
  hear({ ...progress, step: 'blocks', block: 3 });
  expect(textOf(page)).toContain('Building blocks on the new code… block #3,');
  const cancel = button(page, 'Cancel');
  cancel?.focus();
  press(page, 'Cancel');
  await vi.waitFor(() => expect(ended).toEqual(['dev_unsubscribeRehearsal']));
  expect(textOf(page)).toContain('Canceled. Nothing was changed.');
  // The same button starts the next one.
  expect(document.activeElement).toBe(button(page, 'Rehearse'));
  subscribers.clear();
  press(page, 'Rehearse');
  await vi.waitFor(() => expect(subscribers.has('dev_subscribeRehearsal')).toBe(true));
  hear({ kind: 'report', ...(await report()) });
  expect(textOf(page.querySelector('[aria-label="Report"] [role="status"]'))).toBe(
    '✓ No problems were found',
  );
  expect(button(page, 'Cancel')).toBeUndefined();
});

it('the state of the page outlives a visit, and the upgrade page has the same file', async () => {
  const { context, page, hear } = open();
  await choose(page, await loadNextRuntime());
  await vi.waitFor(() => expect(button(page, 'Rehearse')?.disabled).toBe(false));
  press(page, 'Rehearse');
  await settle();
  hear(progress);
  expect(textOf(mountIn(context, RehearsePage, { hash: null }))).toContain('Running on_runtime_upgrade…');
  expect(useChosenRuntime(context).file?.name).toBe('next.wasm');
});

it('what is refused or fails is reported, and max blocks is checked', async () => {
  const { page, hear } = open();
  await choose(page, await loadNextRuntime());
  await vi.waitFor(() => expect(button(page, 'Rehearse')?.disabled).toBe(false));
  const field = page.querySelector<HTMLInputElement>('input[inputmode="numeric"]');
  typeIn(field, '0');
  expect([field?.ariaInvalid, button(page, 'Rehearse')?.title]).toEqual([
    'true',
    'Max blocks is not a number from 1 to 1000000.',
  ]);
  typeIn(field, '20');
  press(page, 'Rehearse');
  await settle();
  hear({ kind: 'failed', code: 'EndpointFailed', message: 'No endpoint answers' });
  expect(textOf(page.querySelector('[role="alert"]'))).toMatch(
    /^The upgrade could not be rehearsed.*EndpointFailed: No endpoint answers/,
  );
  expect(button(page, 'Rehearse')?.disabled).toBe(false);
});

it('the report has each figure against its limit, the blocks, the changes and what is missing', async () => {
  const real = await report();
  const { context } = openContext(() => new Promise(() => undefined));
  const migration = real.migration;
  if (migration === null) throw new Error('no migration');
  const proof = {
    ...migration.proof,
    plain: 12_000_000,
    compact: 10_000_000,
    limit: 8_912_896,
    isOver: true,
  };
  const changed: RehearsalReport = {
    ...real,
    checks: {
      ...{ selected: 'all', failure: 'it traps', weight: null, ms: 12, keysRead: 3 },
      logs: ['runtime: wrong'],
    },
    migration: {
      ...migration,
      proof,
      weight: {
        refTime: { used: '3000000', limit: '2000000', isOver: true },
        proofSize: { used: '12', limit: null, isOver: false },
      },
      changes: [{ pallet: 'Sudo', item: 'Key', written: 1, removed: 0 }],
      old: { sudo: { key: 'alice' } },
      new: { sudo: { key: 'bob' } },
      omitted: 7,
    },
    multiBlock: { pallet: 'MultiBlockMigrations', blocks: 6, outcome: 'unfinished' },
    blocks: Array.from({ length: 20 }, (_, index) => ({
      ...{ ms: 1, keysRead: 1, proof: migration.proof, weight: null, isMigrating: index < 6 },
      ...{ number: 2 + index, stateRoot: `0x${'00'.repeat(32)}` },
    })),
    problems: ['The upgrade fails its checks (all): it traps.', 'Two.'],
    notes: ['Something was not rehearsed.'],
  };
  const page = mountIn(context, ReportView, { report: changed, file: 'next.wasm' });
  const shown = textOf(page);
  expect(textOf(page.querySelector('h2'))).toBe('✗ 2 problems');
  for (const text of [
    'The upgrade fails its checks (all): it traps.',
    'not finished after 6 blocks (MultiBlockMigrations)',
    'Something was not rehearsed.',
    'The zstd size is not measured',
    'runtime: wrong',
    'Sudo.Key +1 written',
    '7 more values changed.',
  ])
    expect(shown).toContain(text);
  const row = (name: string) =>
    [...page.querySelectorAll('tr')]
      .map(({ children }) => [...children].map(textOf).join(' | '))
      .find((text) => text.startsWith(name));
  expect(row('on_runtime_upgrade')).toMatch(
    /^on_runtime_upgrade \| 3 000 000 150\.0 % of 2 000 000: over the limit \| 12 \| 12\.0 MB \| 10\.0 MB 112\.2 % of 8\.9 MB: over the limit \| – \| /,
  );
  expect(row('checks (all)')).toContain('failed | – | – | – | – | – | 12.0 ms | 3');
  expect(row('block #2')).toContain('migrating');
  expect(page.querySelectorAll('tbody tr')).toHaveLength(2 + 5 + 1 + 5);
  press(page, 'Show 10 more blocks');
  expect(page.querySelectorAll('tbody tr')).toHaveLength(2 + 20);
  const [diff] = page.querySelectorAll('[aria-label="Storage changes"] ul:last-of-type li');
  expect([...(diff?.children ?? [])].map(textOf)).toEqual(['sudo.key', 'alice', 'bob']);
  expect(page.querySelector('a.button')?.getAttribute('href')).toBe('#/send/upgrade');
  for (const width of [1440, 390]) {
    widen(page, width);
    expect(page.scrollWidth, `${width} px`).toBeLessThanOrEqual(width);
  }
});
