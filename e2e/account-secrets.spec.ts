import { readFileSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import { newest, open, send } from './send-page.ts';

const phrase = 'caution juice atom organ advance problem want pledge someone senior holiday very';
/** The mini secret of the phrase. */
const seed = 'c8fa03532fb22ee1f7f6908b9c02b4e72483f0dbd66e4cd456b8f34c6230b849';
const passwords = ['first password', 'second password', 'a wrong password'];

/** All text that the page shows, keeps in a field, or has stored: bytes as Latin-1 and hexadecimal digits. */
const everything = (page: Page): Promise<readonly string[]> =>
  page.evaluate(async () => {
    const inputs = [...document.querySelectorAll('input, textarea')] as HTMLInputElement[];
    const texts = [
      document.documentElement.outerHTML,
      ...inputs.map(({ value }) => value),
      ...[localStorage, sessionStorage, history.state, location.href].map((one) => JSON.stringify(one)),
    ];
    const digits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
    const hexOf = (bytes: Uint8Array) => Array.from(bytes, (byte) => digits[byte]).join('');
    const add = (value: unknown): void => {
      if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
        const bytes = value instanceof ArrayBuffer ? new Uint8Array(value) : new Uint8Array(value.buffer);
        texts.push(new TextDecoder('latin1').decode(bytes), hexOf(bytes));
      } else if (typeof value === 'object' && value !== null)
        for (const part of Object.values(value)) add(part);
      else texts.push(String(value));
    };
    const ask = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    for (const { name = '' } of await indexedDB.databases()) {
      const db = await ask(indexedDB.open(name));
      for (const store of db.objectStoreNames)
        add(await ask(db.transaction(store).objectStore(store).getAll()));
      db.close();
    }
    return texts;
  });

/** Where a secret is found that should be nowhere. */
const leaks = async (page: Page, heard: readonly string[]): Promise<readonly string[]> => {
  const all = [...(await everything(page)), ...heard];
  return [phrase, seed, ...passwords].flatMap((secret) =>
    all
      .filter((text) => text.includes(secret))
      .map((text) => `${secret.slice(0, 9)} in ${text.slice(0, 60)}`),
  );
};

test('a phrase and its passwords are found nowhere: not in storage, the page, a file or the console', async ({
  page,
}) => {
  const heard: string[] = [];
  page.on('console', (message) => heard.push(message.text()));
  page.on('request', (request) => heard.push(`${request.url()} ${request.postData() ?? ''}`));
  await open(page, '#/send/System/remark');
  const from = page.getByLabel('From', { exact: true }).locator('option:checked');
  const openDialog = async () => {
    await page.getByRole('button', { name: 'Add account…' }).click();
    return page.getByRole('dialog', { name: 'Add an account' });
  };

  // Typed, and kept on request.
  const sheet = await openDialog();
  await sheet.getByLabel('Name').fill('Typed');
  await sheet.getByLabel('Secret', { exact: true }).fill(phrase);
  // What is looked for is found where it is.
  expect(await leaks(page, heard)).toHaveLength(1);
  await sheet.getByLabel('Keep it in this browser, encrypted', { exact: true }).check();
  await sheet.getByLabel('New password', { exact: true }).fill(passwords[0] ?? '');
  await sheet.getByRole('button', { name: 'Add key' }).click();
  await expect(from).toHaveText('Typed');
  expect(await leaks(page, heard)).toEqual([]);

  // Saved as a file with another password.
  const again = await openDialog();
  await again.getByRole('button', { name: 'Save as JSON…' }).click();
  const form = again.getByRole('form', { name: 'Save Typed as JSON' });
  await form.getByLabel('New password', { exact: true }).fill(passwords[1] ?? '');
  const download = page.waitForEvent('download');
  await form.getByRole('button', { name: 'Save' }).click();
  const path = await (await download).path();
  heard.push(readFileSync(path, 'utf8'));
  await page.keyboard.press('Escape');
  expect(await leaks(page, heard)).toEqual([]);

  // Locked by a reload; a wrong password, then the right one; and it signs.
  await page.reload();
  const unlock = page.getByRole('form', { name: 'Unlock Typed' });
  await page.getByLabel('From', { exact: true }).selectOption('Typed');
  for (const password of [passwords[2] ?? '', passwords[0] ?? '']) {
    await unlock.getByLabel('Password of the account').fill(password);
    await unlock.getByRole('button', { name: 'Unlock' }).click();
    if (password === passwords[2])
      await expect(page.getByText('The password does not open this account.')).toBeVisible();
  }
  await expect(unlock).toHaveCount(0);
  await page.getByRole('button', { name: 'Fund with 1 000 UNIT' }).click();
  await page.getByLabel('remark', { exact: true }).fill('0x01');
  await expect(page.getByLabel('Forecast')).toContainText('succeeds');
  await send(page);
  await expect(newest(page)).toContainText('succeeded', { timeout: 15_000 });
  expect(await leaks(page, heard)).toEqual([]);

  // Removed, and opened from the file.
  const third = await openDialog();
  await third.getByRole('button', { name: 'Remove…' }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await third.locator('input[type=file]').setInputFiles(path);
  await third.getByLabel('Password of the file').fill(passwords[1] ?? '');
  await third.getByRole('button', { name: 'Open account' }).click();
  await expect(from).toHaveText('Typed');
  expect(await leaks(page, heard)).toEqual([]);
  expect(await page.evaluate(() => localStorage.getItem('tabnode.accounts'))).not.toContain('encoded');
});
