import { test as base, type Page } from '@playwright/test';

let shared: { readonly file: string; readonly page: Page } | null = null;

/**
 * Tests of a file that use one page after another: for those that only read, or change what no other of them reads. A page of
 * its own costs a test more than a second of processor. A test that fails ends the process, and the next one has a new page.
 * A file with such tests sets `test.describe.configure({ mode: 'default' })`, so that one process runs them in order.
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
