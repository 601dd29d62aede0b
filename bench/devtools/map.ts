import type { Page } from 'playwright';
import { bytesToHex } from '../../worker/bytes/hex.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import type { Line } from '../figure.ts';
import { median } from '../measure.ts';
import { measureFrames } from './frames.ts';

const keys = 100_000;
const perCall = 5000;
const scrollMs = 6000;
/** Pixels per turn of the wheel: fast, so that every frame shows other rows. */
const wheelPx = 600;
const edits = 15;

type Own = {
  readonly tabnode: {
    readonly connection: { request(method: string, params: readonly unknown[]): Promise<unknown> };
  };
};

/** twox128("System") and twox128("Account"). */
const accountPrefix = '26aa394eea5630e07c48ae0c9558cef7b99d880ec681799c0cf30e8886371da9';
/** frame_system::AccountInfo: nonce, consumers, providers, sufficients, then free, reserved, frozen, flags. */
const accountInfo = (free: number): string => {
  const info = new DataView(new ArrayBuffer(80));
  info.setUint32(8, 1, true);
  info.setBigUint64(16, BigInt(free) * 1_000_000_000n, true);
  info.setUint8(79, 0x80);
  return bytesToHex(new Uint8Array(info.buffer));
};

/** Pairs of key and value of accounts without owners. */
const createAccounts = async (count: number): Promise<[string, string][]> => {
  const crypto = await loadCrypto();
  return Array.from({ length: count }, (_, index) => {
    const account = crypto.blake2b256(new TextEncoder().encode(`account ${index}`));
    const hash = bytesToHex(crypto.blake2b128(account)).slice(2);
    return [`0x${accountPrefix}${hash}${bytesToHex(account).slice(2)}`, accountInfo(index + 1)];
  });
};

const ask = (page: Page, method: string, params: readonly unknown[]): Promise<unknown> =>
  page.evaluate(([name, list]) => (globalThis as unknown as Own).tabnode.connection.request(name, list), [
    method,
    params,
  ] as const);

/** Runs in the page: ms from now until the first row of the map shows its value in a frame. */
const openMap = async (link: string): Promise<number> => {
  const begin = performance.now();
  location.hash = link;
  await new Promise<void>((resolve, reject) => {
    const look = (): void => {
      const value = document.querySelector('section[aria-label="Keys of Account"] a.row > :last-child');
      if (value !== null && value.textContent !== '' && value.textContent !== '…') resolve();
      else if (performance.now() - begin > 60_000) reject(new Error('No row of the map shows its value'));
      else requestAnimationFrame(look);
    };
    look();
  });
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  return performance.now() - begin;
};

/** Runs in the page: ms from the click until a frame shows the new value, whose digits are in groups. */
const editOnce = async (text: string): Promise<number> => {
  const find = (query: string): HTMLElement => {
    const element = document.querySelector<HTMLElement>(query);
    if (element === null) throw new Error(`${query} is missing`);
    return element;
  };
  const value = find('section[aria-label="Value"]');
  const shown = new Promise<void>((resolve, reject) => {
    setTimeout(() => reject(new Error(`The value does not show ${text}`)), 60_000);
    const observer = new MutationObserver(() => {
      if (!value.querySelector('.value')?.textContent.replaceAll(/\s/g, '').includes(text)) return;
      observer.disconnect();
      resolve();
    });
    observer.observe(value, { childList: true, subtree: true, characterData: true });
  });
  const begin = performance.now();
  find('form[aria-label="Edit the value"] button[type="submit"]').click();
  await shown;
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  return performance.now() - begin;
};

const measureEdits = async (page: Page): Promise<Line> => {
  await page.evaluate(() => {
    location.hash = `#/storage/System/Account/${encodeURIComponent('["5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"]')}`;
  });
  const value = page.getByRole('region', { name: 'Value', exact: true });
  const all: number[] = [];
  for (let round = 0; round < edits; round++) {
    await value.getByRole('button', { name: 'Edit value…' }).click();
    const amount = `123456${String(round).padStart(3, '0')}`;
    await page.getByLabel('value data free').fill(amount);
    all.push(await page.evaluate(editOnce, amount));
  }
  return {
    name: 'devtools: an edited value shows',
    value: median(all),
    unit: 'ms',
    budget: 50,
    note: `from the click on “Set value” to the frame after; median of ${edits}, slowest ${Math.max(...all).toFixed(0)}`,
  };
};

/** The storage panel on a map of 100,000 keys, and an edit of one of them. */
export const measureMap = async (newPage: () => Promise<Page>, url: string): Promise<Line[]> => {
  const page = await newPage();
  await page.goto(`${url}#/storage`);
  await page.getByRole('link', { name: 'Best block' }).filter({ hasText: /#\d/ }).waitFor();
  await ask(page, 'dev_setSealMode', ['manual']);
  const accounts = await createAccounts(keys);
  for (let at = 0; at < keys; at += perCall)
    await ask(page, 'dev_setStorage', [accounts.slice(at, at + perCall)]);
  await page.getByRole('link', { name: /^System/ }).click();
  await page.getByRole('link', { name: /^Account/ }).waitFor();
  const first: Line = {
    name: `devtools: first page of a map of ${keys} keys`,
    value: await page.evaluate(openMap, '#/storage/System/Account'),
    unit: 'ms',
    budget: null,
    note: 'from the address to the first decoded value on screen',
  };

  const list = page.getByRole('region', { name: 'Keys of Account' });
  const readAll = await measureFrames(page, `devtools: frame p95, all ${keys} keys being read`, 5000, () =>
    list.getByRole('button', { name: 'Read all' }).click(),
  );
  await list.getByText(/^100\s0\d\d$/).waitFor({ timeout: 120_000 });
  await list.locator('a.row').first().hover();
  const scroll = await measureFrames(
    page,
    `devtools: frame p95, a map of ${keys} keys scrolled`,
    scrollMs,
    async (done) => {
      while (!done.aborted) await page.mouse.wheel(0, wheelPx);
    },
  );
  const edit = await measureEdits(page);
  await page.context().close();
  return [first, readAll, scroll, edit];
};
