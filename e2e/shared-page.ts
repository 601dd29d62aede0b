import { test as base, type Page } from '@playwright/test';

let shared: { readonly file: string; readonly page: Page } | null = null;

/**
 * Lets the tests of a file share one page, one after another: for tests that only read, or that change what
 * no other test in the file reads. A page of its own costs a test more than a second of processor time. A
 * test that fails ends the process, and the next one has a new page. A file with such tests sets
 * `test.describe.configure({ mode: 'default' })`, so that one process runs them in order.
 */
export const test = base.extend({
  page: async ({ browser }, use, { file }) => {
    if (shared?.file !== file) {
      await shared?.page.context().close();
      shared = { file, page: await browser.newPage() };
    }
    await use(shared.page);
  },
  context: async ({ page }, use) => use(page.context()),
});
