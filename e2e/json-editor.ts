import type { Locator, Page } from '@playwright/test';

/** The JSON editor, or the JSON text, with this accessible name, once CodeMirror has loaded. */
export const jsonEditor = (of: Page | Locator, name: string): Locator =>
  of.getByRole('textbox', { name, exact: true }).and(of.locator('.cm-content'));
