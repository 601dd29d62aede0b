import { expect, it } from 'vitest';
import { keepSent } from '../../../node/tx/sent.svelte.ts';
import { mountIn, openContext, press } from '../../../testing/open-page.ts';
import TransactionPage from './TransactionPage.svelte';

const best = 1050;
const hashAt = (number: number): string => `0x${number.toString(16).padStart(64, '0')}`;

/** Replies that the test holds back; null when it holds none back. */
let held: (() => void)[] | null = [];
const whenReleased = <T>(value: T): Promise<T> =>
  new Promise((resolve) => (held === null ? resolve(value) : held.push(() => resolve(value))));

/** A chain of empty blocks, none of them final. */
const answers: Readonly<Record<string, (first: never) => unknown>> = {
  chain_getHeader: () => ({ number: best }),
  dev_pool: () => whenReleased({ ready: [], future: [] }),
  chain_getBlockHash: (numbers: readonly number[]) => whenReleased(numbers.map(hashAt)),
  archive_v1_finalizedHeight: () => 0,
  archive_v1_hashByHeight: (height: number) => [hashAt(height)],
  chain_getBlock: (hash: string) => ({ block: { header: { number: hash }, extrinsics: [] } }),
};

it('a search goes back a thousand blocks at a time, says how far, is stopped and goes on', {
  timeout: 60_000,
}, async () => {
  const { context } = openContext((method, [first]) =>
    method in answers ? answers[method]?.(first as never) : new Promise(() => undefined),
  );
  const page = mountIn(context, TransactionPage, { hash: `0x${'12'.repeat(32)}`, onclose: () => undefined });
  const saysThat = (text: RegExp): Promise<void> =>
    expect.poll(() => page.textContent, { timeout: 20_000 }).toMatch(text);
  /** Releases this many replies one after another, and presses Stop while the last one is open. */
  const stopAtReply = async (count: number): Promise<void> => {
    for (let nth = 1; nth <= count; nth++) {
      await expect.poll(() => held?.length, { timeout: 20_000 }).toBe(1);
      if (nth === count) press(page, 'Stop');
      held?.pop()?.();
    }
  };
  // The pool comes first, then twenty blocks at a time.
  await stopAtReply(1);
  await saysThat(/nor in the 0 blocks/);
  press(page, /^Search 1\s000 more blocks$/);
  await stopAtReply(3);
  await saysThat(/nor in the 40 blocks/);
  held = null;
  press(page, /^Search 1\s000 more blocks$/);
  await saysThat(/nor in the 1\s040 blocks/);
  press(page, 'Search 11 more blocks');
  await saysThat(/nor in the 1\s051 blocks/);
  expect(page.textContent).not.toContain('more blocks');
});

it('shows the way of a transaction as the first transfer does, and says what it waits for', async () => {
  const hash = `0x${'12'.repeat(32)}`;
  for (const [queue, says] of [
    ['ready', 'In the pool. Waiting for a block.'],
    ['future', 'In the pool, waiting for another transaction.'],
  ] as const) {
    const pool = { ready: [], future: [], [queue]: [{ hash, extrinsic: '0x00' }] };
    const { context } = openContext((method, [first]) =>
      method === 'dev_pool'
        ? pool
        : method in answers
          ? answers[method]?.(first as never)
          : new Promise(() => undefined),
    );
    const page = mountIn(context, TransactionPage, { hash, onclose: () => undefined });
    await expect
      .poll(() => page.querySelector('ol')?.innerText)
      .toBe('Pool\nIn block\nwaiting…\nFinalized\nwaiting…');
    expect(page.querySelector('[role="status"]')?.textContent.trim()).toBe(says);
  }
});

it('a transaction that ended without a block says how, and waits for nothing', async () => {
  const hex = '0x1004000001';
  let pool: unknown = null;
  const { context, subscribers } = openContext((method, [first]) =>
    method === 'dev_pool' ? pool : method in answers ? answers[method]?.(first as never) : hex,
  );
  const sent = keepSent(context);
  const hash = (await sent.submit(hex, 'System.remark', 'Alice'))?.hash ?? '';
  pool = { ready: [{ hash, extrinsic: hex }], future: [] };
  const page = mountIn(context, TransactionPage, { hash, onclose: () => undefined });
  await expect.poll(() => page.querySelector('ol')?.innerText).toContain('waiting…');
  // The pool is searched again with the next block: the status comes before.
  subscribers.get('author_submitAndWatchExtrinsic')?.({ usurped: hash });
  await expect
    .poll(() => page.textContent)
    .toContain('Another transaction of Alice with this nonce replaced it.');
  expect(page.querySelector('ol')?.innerText).toBe('Pool\nusurped\nIn block\n–\nFinalized\n–');
  expect(page.textContent).not.toMatch(/waiting…|Neither in the pool|In the pool/);
});
