import { expect, it } from 'vitest';
import { mountIn, openBench, press, settle } from '../testing/open-page.ts';
import TxPage from './TxPage.svelte';

const best = 1050;
const hashAt = (number: number): string => `0x${number.toString(16).padStart(64, '0')}`;

/** A chain of empty blocks, none of them final. */
const answers: Readonly<Record<string, (first: never) => unknown>> = {
  chain_getHeader: () => ({ number: best }),
  dev_pool: () => ({ ready: [], future: [] }),
  // A turn of the event loop each, so that a search can be stopped between two batches.
  chain_getBlockHash: (numbers: readonly number[]) =>
    new Promise((resolve) => setTimeout(resolve, 0, numbers.map(hashAt))),
  archive_v1_finalizedHeight: () => 0,
  archive_v1_hashByHeight: (height: number) => [hashAt(height)],
  chain_getBlock: (hash: string) => ({ block: { header: { number: hash }, extrinsics: [] } }),
};

it('a search goes back a thousand blocks at a time, says how far, is stopped and goes on', {
  timeout: 60_000,
}, async () => {
  const { bench } = openBench((method, [first]) =>
    method in answers ? answers[method]?.(first as never) : new Promise(() => undefined),
  );
  const page = mountIn(bench, TxPage, { hash: `0x${'12'.repeat(32)}`, onclose: () => undefined });
  const saysThat = (text: RegExp): Promise<void> =>
    expect.poll(() => page.textContent, { timeout: 20_000 }).toMatch(text);
  /** Presses Stop as soon as this many blocks have been searched, while the next twenty are being requested. */
  const stopAt = async (blocks: number): Promise<void> => {
    while ((page.querySelector('progress')?.value ?? -1) < blocks) await settle();
    press(page, 'Stop');
  };
  await stopAt(0);
  await saysThat(/not in 0 blocks/);
  press(page, /^Search 1\s000 more blocks$/);
  await stopAt(1);
  await saysThat(/not in 40 blocks/);
  press(page, /^Search 1\s000 more blocks$/);
  await saysThat(/not in 1\s040 blocks/);
  press(page, 'Search 11 more blocks');
  await saysThat(/not in 1\s051 blocks/);
  expect(page.textContent).not.toContain('more blocks');
});
